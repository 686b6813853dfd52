import type { JsonObject } from '../json/json.ts';
import type { JsonSchema } from './model.ts';
import { SchemaNode } from './node.ts';
import { type SchemaIndex, findSchema, mapReferences, reachableFrom } from './references.ts';

/** Whether a published schema contains the schemas that it refers to, or refers to other files by name. */
export type PublishedForm = 'self-contained' | { readonly fileNames: ReadonlyMap<string, string> };

/**
 * Creates the function that publishes a schema by name, as JSON Schema 2020-12 with annotations and `x-` keys. A
 * reference to the schema itself becomes `#`. In the self-contained form, `$defs` contains all other schemas that it
 * needs.
 */
export function createPublisher(
  index: SchemaIndex,
  form: PublishedForm,
): (name: string) => JsonObject {
  const toReference = (name: string): string =>
    form === 'self-contained'
      ? `#/$defs/${escapeMember(name)}`
      : encodeURIComponent(form.fileNames.get(name) ?? '');
  const rewritten = new Map<string, JsonSchema>();
  /** Returns a definition for the file of `root`. Only definitions that refer to the root differ between files. */
  const definitionIn = (name: string, root: string): JsonSchema => {
    const schema = findSchema(index, name);
    if (schema.references.includes(root)) {
      return rewrite(schema.definition, (to) => (to === root ? '#' : toReference(to)));
    }
    const known = rewritten.get(name);
    if (known !== undefined) return known;
    const definition = rewrite(schema.definition, toReference);
    rewritten.set(name, definition);
    return definition;
  };
  return (name) => {
    const { $defs: _own, ...keywords } = new SchemaNode(definitionIn(name, name)).keywords;
    const others =
      form === 'self-contained' ? reachableFrom(index, name).filter((other) => other !== name) : [];
    const definitions = others.map((other) => [other, definitionIn(other, name)] as const);
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...keywords,
      ...(others.length > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
    };
  };
}

function rewrite(schema: JsonSchema, toReference: (name: string) => string): JsonSchema {
  return mapReferences(schema, (name, beside) => ({ $ref: toReference(name), ...beside }));
}

/** Escapes a member name for a JSON Pointer (RFC 6901) in a URI fragment. */
function escapeMember(member: string): string {
  return encodeURIComponent(member.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
}
