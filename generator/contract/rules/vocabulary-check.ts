import { createRequire } from 'node:module';
import type * as Library from 'ajv/dist/2020.js';
import { accepts, type Reading } from '../../accepts.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { toViolations, type Violation } from './violations.ts';

/** Says what a value breaks of a schema of the vocabulary. */
export type VocabularyCheck = (schema: object, value: Json) => readonly Violation[];

/** The check for the schemas of `vocabulary.ts`, which are compiled for what reading them does not accept. */
export const checkVocabulary: VocabularyCheck = (schema, value) => {
  if (isJsonObject(schema) && accepts(schema, value, reading) === true) return [];
  compile ??= loadCompiler();
  return compile(schema, value);
};

let compile: VocabularyCheck | undefined;

/** Compiled schemas are kept: one compiler for the process, since the schemas never change. */
function loadCompiler(): VocabularyCheck {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof Library;
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, ownProperties: true });
  return (schema, value) => {
    const validate = ajv.compile(schema);
    return validate(value) ? [] : toViolations(validate.errors);
  };
}

const expressions = new Map<string, RegExp>();

const reading: Reading = {
  schemaOf: (reference) => (reference === metaschema ? plainSchema : undefined),
  matches(pattern, text) {
    const expression = expressions.get(pattern) ?? new RegExp(pattern, 'u');
    expressions.set(pattern, expression);
    return expression.test(text);
  },
  hasFormat: () => undefined,
  isAnnotation: (keyword) => keyword === 'x-words',
};

const metaschema = 'https://json-schema.org/draft/2020-12/schema';

/** What conditions are mostly written with, all of which the metaschema accepts. */
const plainSchema: JsonObject = {
  type: ['object', 'boolean'],
  properties: {
    not: { $ref: metaschema },
    const: true,
    enum: { type: 'array' },
    type: { enum: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] },
    required: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
  additionalProperties: false,
};
