import { Cursor } from '../json/cursor.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { grammars } from './grammars.ts';
import type { ValidatedDocument, ValueGrammar } from './object-grammar.ts';
import { walk } from './walk.ts';

/**
 * Removes members and items that the grammar of OpenAPI does not allow from a document, in place, and references
 * without a target. Objects without a required member stay, and so do members that the grammar does not know.
 */
export function removeInvalid(openapi: JsonObject): void {
  const root = Cursor.ofDocument(openapi, 'openapi');
  const document: ValidatedDocument = {
    root: openapi,
    dialect: root.text('openapi')?.startsWith('3.0') === true ? 'openapi 3.0' : 'openapi 3.1',
    target: (reference) => root.lookUp(reference).value,
  };
  for (const { kind, value } of walk(root, 'document')) {
    const { members, otherMembers } = grammars.openapi.objects[kind] ?? {};
    const object = value as Record<string, Json | undefined>;
    for (const name of Object.keys(object)) {
      const declaredMember = members?.get(name);
      const member = declaredMember ?? (name.startsWith('x-') ? undefined : otherMembers?.value);
      if (member === undefined) continue;
      const isAllowed = declaredMember !== undefined || otherMembers?.names.test(name) === true;
      const part = isAllowed ? validPart(object[name] ?? null, member, document) : undefined;
      if (part === undefined) delete object[name];
      else object[name] = part;
    }
  }
  for (const place of walk(root, 'document')) {
    const { localReference, value } = place;
    if (localReference !== undefined && place.lookUp(localReference).value === undefined)
      delete (value as Record<string, Json | undefined>)['$ref'];
  }
}

/** Returns a value without its invalid items and members. Objects of the specification are returned as they are. */
function validPart(
  value: Json,
  grammar: ValueGrammar,
  document: ValidatedDocument,
): Json | undefined {
  if (typeof grammar !== 'object') return isJsonObject(value) ? value : undefined;
  const into = (inner: Json | undefined, of: ValueGrammar): readonly Json[] => {
    const part = validPart(inner ?? null, of, document);
    return part === undefined ? [] : [part];
  };
  switch (grammar.type) {
    case 'data':
      return value;
    case 'scalar':
      return grammar.rule(value, document) ? value : undefined;
    case 'reference':
      return isJsonObject(value) ? value : undefined;
    case 'list':
      if (!Array.isArray(value)) return undefined;
      return (value as readonly Json[]).flatMap((item) => into(item, grammar.items));
    case 'map':
      if (!isJsonObject(value)) return undefined;
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, member]) =>
          into(member, grammar.values).map((part) => [name, part]),
        ),
      );
    case 'only':
      return validPart(value, grammar.value, document);
    default:
      return grammar.options.flatMap((option) => into(value, option))[0];
  }
}
