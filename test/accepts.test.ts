import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  createPublisher,
  indexSchemas,
  toValidatorSchema,
} from '../generator/contract/json-schema.ts';
import type { Json, JsonObject } from '../generator/json.ts';
import { accepts, type Reading } from '../generator/accepts.ts';
import { sampleSchemas, sampleValues } from './targets/contract/agreement.ts';
import { buildContract } from './targets/contract/contract-builder.ts';

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu;

const reading: Reading = {
  schemaOf: () => undefined,
  matches: (pattern, text) => new RegExp(pattern, 'u').test(text),
  hasFormat: (_, value) => typeof value !== 'string' || uuid.test(value),
  isAnnotation: () => false,
};

test.each([1, 2, 3, 4, 5, 6])(
  'says of random schemas and values what Ajv says, or nothing (seed %i)',
  (seed) => {
    const definitions = sampleSchemas('all of JSON Schema', 60, seed * 1000);
    const values = sampleValues(60, seed);
    const contract = buildContract(definitions);
    const index = indexSchemas(contract);
    const publish = createPublisher(index, 'self-contained');
    const ajv = new Ajv2020({ strict: false, ownProperties: true, multipleOfPrecision: 9 });
    ajv.addFormat('uuid', uuid);
    const schemaOf = (name: string): ReturnType<typeof toValidatorSchema> =>
      toValidatorSchema(index.get(name)?.definition ?? false);
    let answered = 0;
    for (const [name, definition] of definitions) {
      const validate = ajv.compile(publish(name));
      for (const value of values) {
        const answer = accepts(schemaOf(name), value, { ...reading, schemaOf });
        if (answer === undefined) continue;
        answered += 1;
        const what = `${JSON.stringify(definition)} and ${JSON.stringify(value)}`;
        expect(answer, what).toBe(validate(value));
      }
    }
    expect(answered).toBeGreaterThan(0.6 * definitions.length * values.length);
  },
);

test('asks a schema once that is led to in ever more ways', () => {
  const schemaOf = (name: string): JsonObject => {
    const next = { $ref: String(Number(name) + 1) };
    return Number(name) < 200 ? { allOf: [next, { anyOf: [next, next] }] } : { type: 'string' };
  };
  expect(accepts({ $ref: '0' }, 'a', { ...reading, schemaOf })).toBe(true);
  expect(accepts({ $ref: '0' }, 1, { ...reading, schemaOf })).toBe(false);
});

describe('of a single schema and value', () => {
  test.each<[string, JsonObject, Json, boolean | undefined]>([
    ['a multiple of a whole number', { multipleOf: 3 }, 9, true],
    ['no multiple of a whole number', { multipleOf: 3 }, 10, false],
    ['a multiple of a fraction', { multipleOf: 0.01 }, 19.99, undefined],
    ['length in characters', { maxLength: 1 }, '😀', true],
    ['a format that a text does not have', { format: 'uuid' }, 'x', false],
    ['scalars, each once', { uniqueItems: true }, [1, '1', null], true],
    ['a scalar twice', { uniqueItems: true }, [1, 1], false],
    ['objects that may be equal', { uniqueItems: true }, [{}, {}], undefined],
    ['an object that may be the constant', { const: { a: 1 } }, { a: 1 }, undefined],
    ['a member that no object has of its own', { required: ['toString'] }, {}, false],
    ['a keyword that it does not know', { unevaluatedItems: false }, [], undefined],
    ['a schema that is itself', { $ref: 'Self' }, 1, undefined],
  ])('%s', (_, schema, value, answer) => {
    const schemaOf = (): JsonObject => ({ $ref: 'Self' });
    expect(accepts(schema, value, { ...reading, schemaOf })).toBe(answer);
  });
});
