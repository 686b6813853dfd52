import { describe, expect, test } from 'vitest';
import { indexSchemas, toValidatorSchema } from '../../../generator/contract/json-schema.ts';
import { createCompiledCheck } from '../../../generator/contract/rules/compiled-check.ts';
import { createReading } from '../../../generator/contract/rules/example-check.ts';
import { readViolations } from '../../../generator/contract/rules/read-violations.ts';
import type { Json, JsonObject } from '../../../generator/json.ts';
import { sampleSchemas, sampleValues } from '../../targets/contract/agreement.ts';
import { buildContract } from '../../targets/contract/contract-builder.ts';

test.each([1, 2, 3, 4, 5, 6])(
  'says of random schemas what the compiled ones say, or nothing (seed %i)',
  (seed) => {
    const definitions = sampleSchemas('all of JSON Schema', 60, seed * 1000);
    const values = sampleValues(60, seed);
    const index = indexSchemas(buildContract(definitions));
    const reading = createReading(index);
    const compiled = createCompiledCheck(index);
    let answered = 0;
    for (const [name, definition] of definitions) {
      const reference = { $ref: `#/$defs/${name}` };
      for (const value of values) {
        const violations = readViolations(toValidatorSchema(reference), value, reading);
        if (violations === undefined) continue;
        answered += violations.length > 0 ? 1 : 0;
        const what = `${JSON.stringify(definition)} and ${JSON.stringify(value)}`;
        expect(violations, what).toEqual(compiled(reference, value));
      }
    }
    expect(answered).toBeGreaterThan(0.2 * definitions.length * values.length);
  },
);

describe('of a single schema and value', () => {
  const deep: JsonObject = {
    type: 'object',
    properties: {
      'a/b': { items: { enum: [1, 2] } },
      c: { type: ['object'], required: ['d', 'e'], additionalProperties: false },
      f: { oneOf: [{ type: 'string' }, { const: 1 }, { minimum: 0 }] },
      g: { allOf: [{ minLength: 2 }, { pattern: '^x' }], type: 'string', maxLength: 3 },
      h: { anyOf: [{ required: ['i'] }, { type: 'null' }], type: 'object', minProperties: 1 },
      j: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer', maximum: 5 } },
      k: { not: { type: 'string' }, type: 'string', format: 'uuid' },
      l: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 3, multipleOf: 2 },
      m: { type: 'object', maxProperties: 0, additionalProperties: { type: 'string' } },
      n: false,
    },
  };

  test.each<[string, JsonObject, Json]>([
    ['members and items', deep, { 'a/b': [1, 3, '2'], c: { x: 1, y: 2 } }],
    ['no alternative', deep, { f: null, h: 1 }],
    ['two alternatives', deep, { f: 1 }],
    ['all of several', deep, { g: 'y', k: 'z' }],
    ['a type ahead of keywords of others', deep, { g: 7, j: {}, k: 1, l: 'x', m: [] }],
    ['lists', deep, { j: [] }],
    ['longer lists', deep, { j: [1, 7, 1.5] }],
    ['numbers', deep, { l: 3 }],
    ['smaller numbers', deep, { l: -1 }],
    ['other members', deep, { m: { a: 1, b: 'x' } }],
    ['what may not be there', deep, { n: 0 }],
    ['the whole value', deep, 'text'],
    [
      'one of two patterns',
      { properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } } },
      { a: 'x', b: 'b' },
    ],
  ])('%s', (_, schema, value) => {
    const index = indexSchemas(buildContract([['S', schema]]));
    const reference = { $ref: '#/$defs/S' };
    const violations = readViolations(toValidatorSchema(reference), value, createReading(index));
    expect(violations).toEqual(createCompiledCheck(index)(reference, value));
    expect(violations).not.toEqual([]);
  });

  const reading = createReading(new Map());

  test.each<[string, JsonObject, Json]>([
    ['a keyword that it does not read', { uniqueItems: true }, [1, 1]],
    ['what may be a multiple', { multipleOf: 0.01 }, 19.99],
    ['a list that is none', { allOf: {} }, 1],
  ])('%s is left to the compiler', (_, schema, value) => {
    expect(readViolations(schema, value, reading)).toBeUndefined();
  });

  test('a schema that leads to the next in two ways is left to the compiler', () => {
    const schemaOf = (name: string): JsonObject => {
      const next = { $ref: String(Number(name) + 1) };
      return Number(name) < 60 ? { allOf: [next, next] } : { type: 'string' };
    };
    expect(readViolations({ $ref: '0' }, 1, { ...reading, schemaOf })).toBeUndefined();
  });
});
