import type { Contract } from '../../contract/contract.ts';
import { toCursor } from '../../json/cursor.ts';
import { walk } from '../../specification/walk.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { Code } from '../code.ts';

/**
 * Prints the types of the bundled OpenAPI document with `openapi-typescript`. A contract without an OpenAPI document has
 * no paths.
 * @throws TypeError for output that is more than type declarations
 */
export async function printOpenapiTypes({ documents }: Contract): Promise<Code> {
  // Both libraries take half a second to load and are needed for this target alone.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const document = documents.openapi ?? {
    openapi: '3.1.1',
    info: { title: '', version: '' },
    paths: {},
  };
  const nodes = await openapiTS(JSON.stringify(toTypedDocument(document)), {
    // A default is what the service assumes for a missing member; it does not make the member required.
    defaultNonNullable: false,
    silent: true,
  });
  const text = escapeInvisible(astToString(nodes));
  await assertTypesOnly(text);
  return new Code(text);
}

/** Writes invisible characters, and those that turn the reading order, as escapes: in a literal they mean the same. */
function escapeInvisible(text: string): string {
  return text.replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * The document without what has no type and could make the library open a connection or refuse the document: examples
 * with an `externalValue`, and an operationId that another operation has already.
 */
function toTypedDocument(document: JsonObject): JsonObject {
  const copy = structuredClone(document) as Record<string, Json>;
  const ids = new Set<Json>();
  for (const { kind, value } of walk(toCursor(copy, 'openapi'), 'document')) {
    const object = value as Record<string, Json>;
    if (kind === 'example') delete object['externalValue'];
    const id = kind === 'operation' ? object['operationId'] : undefined;
    if (id === undefined) continue;
    if (ids.has(id)) delete object['operationId'];
    ids.add(id);
  }
  return copy;
}

/** The text is made outside the escaping helpers, so it is parsed once more: nothing in it may run. */
async function assertTypesOnly(text: string): Promise<void> {
  const { default: ts } = await import('typescript');
  const file = ts.createSourceFile('index.ts', text, ts.ScriptTarget.Latest);
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) continue;
    throw new TypeError('openapi-typescript printed more than type declarations.');
  }
}
