import type { Json } from '../json/json.ts';
import { createOwnCheck } from '../validators/own-schemas.ts';
import type { OwnSchema } from '../validators/own-schema.ts';
import { vocabularyReferences, vocabularySchema } from '../contract/vocabulary/vocabulary.ts';
import { toViolations, type Violation } from './violations.ts';

/** The schema of the vocabulary, which is checked by extension, and by value that a ledger entry can replace. */
export const ownVocabulary: OwnSchema = {
  name: 'vocabulary',
  draft: '2020-12',
  schema: () => vocabularySchema,
  parts: vocabularyReferences,
};

const check = createOwnCheck(ownVocabulary);

/**
 * Returns the violations of a value against a schema of the vocabulary.
 * @param reference the reference to the schema, such as `#/$defs/Signature`
 * @throws TypeError if the schema is not part of the vocabulary
 */
export function checkVocabulary(reference: string, value: Json): readonly Violation[] {
  return toViolations(check(reference, value));
}
