import type { Node } from 'typescript';
import type { Contract } from '../../contract/contract.ts';
import { lookUp, localReference, toCursor } from '../../json/cursor.ts';
import { walk } from '../../specification/walk.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { Code } from '../code.ts';
import { escapeText } from '../jsdoc.ts';
import { withSenders } from './with-senders.ts';

/**
 * Prints the types of the bundled OpenAPI document with `openapi-typescript`. Without an OpenAPI document, `paths` is
 * empty.
 * @throws TypeError for output that is more than type declarations
 */
export async function printOpenapiTypes(contract: Contract): Promise<Code> {
  // `openapi-typescript` and `typescript` take half a second to load, and only this target needs them.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const document = withSenders(contract) ?? {
    openapi: '3.1.1',
    info: { title: '', version: '' },
    paths: {},
  };
  const nodes = await openapiTS(JSON.stringify(toTypedDocument(document)), {
    // A default is the value that the service assumes for a missing member; it does not make the member required.
    defaultNonNullable: false,
    silent: true,
  });
  return new Code(await sanitizeTypes(escapeInvisible(astToString(nodes))));
}

/** Escapes invisible and bidirectional characters. In a literal, the escapes have the same meaning. */
function escapeInvisible(text: string): string {
  return text.replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * Returns the document without the parts that have no type and on which the library could fail or make a request:
 * `externalValue` of examples, and an `operationId` that another operation already has. References lead to components.
 */
function toTypedDocument(document: JsonObject): JsonObject {
  const copy = structuredClone(document) as Record<string, Json | undefined>;
  const root = toCursor(copy, 'openapi');
  const places = [...walk(root, 'document')];
  const ids = new Set<Json>();
  for (const { kind, value } of places) {
    const object = value as Record<string, Json | undefined>;
    if (kind === 'example') delete object['externalValue'];
    for (const member of commented) {
      const text = object[member];
      if (text !== undefined) object[member] = escapeTexts(text);
    }
    const id = kind === 'operation' ? object['operationId'] : undefined;
    if (id === undefined) continue;
    if (ids.has(id)) delete object['operationId'];
    ids.add(id);
  }
  const schemas: Record<string, Json | undefined> = {
    ...childObject(childObject(copy, 'components'), 'schemas'),
  };
  const names = new Map<string, string>();
  for (const place of places) {
    const reference = place.kind === 'schema' ? localReference(place) : undefined;
    if (reference === undefined || /^#\/components\/[^/]+\/[^/]+$/u.test(reference)) continue;
    const target = lookUp(root, reference).value;
    if (target === undefined) continue;
    const name = names.get(reference) ?? freeName(schemas);
    names.set(reference, name);
    schemas[name] = target;
    (place.value as Record<string, Json | undefined>)['$ref'] = `#/components/schemas/${name}`;
  }
  if (names.size > 0) copy['components'] = { ...childObject(copy, 'components'), schemas };
  return copy;
}

/** The members of a document that the library writes into comments, and nowhere else. */
const commented = ['title', 'summary', 'description', 'format', 'default', 'example'];

/** Escapes every text of a value, so that none begins a tag of JSDoc. */
function escapeTexts(value: Json): Json {
  if (typeof value === 'string') return escapeText(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(escapeTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [escapeText(name), escapeTexts(member ?? null)]),
  );
}

function childObject(object: JsonObject, member: string): JsonObject {
  const value = object[member];
  return isJsonObject(value) ? value : {};
}

/** Returns a name for an inline schema, such as `Inline1`. */
function freeName(schemas: JsonObject): string {
  let count = 1;
  while (Object.hasOwn(schemas, `Inline${count}`)) count += 1;
  return `Inline${count}`;
}

/**
 * Checks that the text has type declarations only, which cannot run, because the escaping helpers did not produce it.
 * Returns it with every tag escaped that the library does not write itself: a text of the contract began it.
 * @throws TypeError for any other statement
 */
async function sanitizeTypes(text: string): Promise<string> {
  const { default: ts } = await import('typescript');
  const file = ts.createSourceFile('index.ts', text, ts.ScriptTarget.Latest, true);
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) continue;
    throw new TypeError('openapi-typescript printed more than type declarations.');
  }
  const foreign = new Set<number>();
  const nodes: Node[] = [...file.statements];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    for (const tag of ts.getJSDocTags(node)) {
      if (!ownTags.has(tag.tagName.text)) foreign.add(tag.getStart(file));
    }
    nodes.push(...node.getChildren(file));
  }
  let sanitized = text;
  for (const start of [...foreign].toSorted((a, b) => b - a))
    sanitized = `${sanitized.slice(0, start)}\\${sanitized.slice(start)}`;
  return sanitized;
}

/** The tags that openapi-typescript writes. */
const ownTags: ReadonlySet<string> = new Set([
  'constant',
  'default',
  'deprecated',
  'description',
  'enum',
  'example',
]);
