import type { Json } from '../../json.ts';
import { toViolations, type Violation } from './violations.ts';

/** Says what a value breaks of a schema of the vocabulary. Compiled schemas are kept. */
export type VocabularyCheck = (schema: object, value: Json) => readonly Violation[];

let made: Promise<VocabularyCheck> | undefined;

/** The check for the schemas of `vocabulary.ts`: one for the process, since they never change. */
export async function createVocabularyCheck(): Promise<VocabularyCheck> {
  made ??= makeVocabularyCheck();
  return await made;
}

async function makeVocabularyCheck(): Promise<VocabularyCheck> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, ownProperties: true });
  return (schema, value) => {
    const validate = ajv.compile(schema);
    return validate(value) ? [] : toViolations(validate.errors);
  };
}
