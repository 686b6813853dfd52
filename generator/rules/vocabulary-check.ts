import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { createOwnCheck, type OwnSchemas } from '../schema/own-schemas.ts';
import { unstatedReference, vocabulary } from '../contract/lower/vocabulary.ts';
import { toViolations, type Violation } from './violations.ts';

/** The schemas of the vocabulary: one for each extension, and one for each value that a ledger entry can replace. */
export const vocabularySchemas: OwnSchemas = {
  name: 'vocabulary',
  draft: '2020-12',
  schemas: () => new Map(Array.from(names(), ([schema, name]) => [name, schema])),
};

const check = createOwnCheck(vocabularySchemas);
let nameOf: ReadonlyMap<object, string> | undefined;

/**
 * Returns the violations of a value against a schema of the vocabulary.
 * @throws TypeError if the schema is not part of the vocabulary
 */
export function checkVocabulary(schema: object, value: Json): readonly Violation[] {
  nameOf ??= names();
  const name = nameOf.get(schema);
  if (name === undefined) throw new TypeError('This is not a schema of the vocabulary.');
  return toViolations(check(name, value));
}

function names(): ReadonlyMap<JsonObject, string> {
  const found = new Map<JsonObject, string>();
  const visit = (value: Json, extension: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const stated =
      isJsonObject(value) && value['then'] === unstatedReference ? value['else'] : null;
    if (isJsonObject(stated) && !found.has(stated)) found.set(stated, `${extension}-${found.size}`);
    for (const member of Object.values(value)) visit(member ?? null, extension);
  };
  for (const [extension, { schema }] of Object.entries(vocabulary)) {
    const root = schema as JsonObject;
    if (!found.has(root)) found.set(root, extension);
    visit(root, extension);
  }
  return found;
}
