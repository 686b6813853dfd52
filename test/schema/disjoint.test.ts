import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../generator/schema/model.ts';
import { areDisjoint } from '../../generator/schema/disjoint.ts';
import type { Json } from '../../generator/json/json.ts';
import * as fc from 'fast-check';

const pairs: readonly (readonly [a: JsonSchema, b: JsonSchema, disjoint: boolean])[] = [
  [true, {}, false],
  [false, {}, true],
  [{ type: 'string' }, { type: 'number' }, true],
  [{ type: 'integer' }, { type: 'number' }, false],
  [{ type: ['string', 'null'] }, { type: ['null', 'array'] }, false],
  [{ type: ['string', 'null'] }, { type: ['number', 'array'] }, true],
  [{ const: 1 }, { type: 'string' }, true],
  [{ const: 1.5 }, { type: 'integer' }, true],
  [{ const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, false],
  [{ enum: [1, 2] }, { enum: [3, 4] }, true],
  [{ enum: [1, 2] }, { enum: [2, 3] }, false],
  [{ enum: [1, 'a'] }, { type: 'boolean' }, true],
  [{ const: 2 }, { not: { const: 2 } }, true],
  [{ enum: [1, 2] }, { not: { enum: [1, 2, 3] } }, true],
  [{ enum: [1, 4] }, { not: { enum: [1, 2, 3] } }, false],
  [{ type: 'array' }, { not: { type: 'array' } }, true],
  [{ type: 'array' }, { not: { type: 'array', minItems: 1 } }, false],
  [{ const: 2 }, { not: { const: 2, pattern: 'x' } }, false],
  [{ type: 'number', maximum: 1 }, { type: 'number', minimum: 2 }, true],
  [{ type: 'number', maximum: 1 }, { type: 'number', exclusiveMinimum: 1 }, true],
  [{ type: 'number', maximum: 1 }, { type: 'number', minimum: 1 }, false],
  [{ maximum: 1 }, { minimum: 2 }, false],
  [{ const: 5 }, { maximum: 4 }, true],
  [
    { type: 'object', required: ['a'], properties: { a: { const: 1 } } },
    { type: 'object', required: ['a'], properties: { a: { const: 2 } } },
    true,
  ],
  [
    { type: 'object', properties: { a: { const: 1 } } },
    { type: 'object', properties: { a: { const: 2 } } },
    false,
  ],
  [{ type: 'object', required: ['a'] }, { properties: { a: false } }, true],
  [{ allOf: [{ type: 'string' }] }, { type: 'number' }, true],
  [{ anyOf: [{ const: 1 }, { const: 2 }] }, { const: 3 }, true],
  [{ anyOf: [{ const: 1 }, { const: 3 }] }, { const: 3 }, false],
  [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'number' }, true],
  [{ $ref: '#/anything' }, { type: 'number' }, false],
  [{ pattern: 'a' }, { pattern: 'b' }, false],
];

const scalar: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  null,
  true,
  0,
  1,
  2,
  1.5,
  -1,
  'a',
  'b',
  '',
);
const value: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b'), scalar, { maxKeys: 2, noNullPrototype: true }),
);
const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        const: value,
        enum: fc.array(value, { minLength: 1, maxLength: 3 }),
        minimum: fc.integer({ min: -1, max: 2 }),
        exclusiveMaximum: fc.integer({ min: -1, max: 2 }),
        required: fc.constantFrom(['a'], ['b'], ['a', 'b']),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
        not: tie('schema'),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
}));

describe('two schemas', () => {
  it.each(pairs)('%j and %j exclude each other: %s', (a, b, expected) => {
    expect(areDisjoint(a, b)).toBe(expected);
    expect(areDisjoint(b, a)).toBe(expected);
  });

  it('that are said to exclude each other have no value in common', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, addUsedSchema: false });
    let proven = 0;
    fc.assert(
      fc.property(
        schema,
        schema,
        fc.array(value, { minLength: 20, maxLength: 20 }),
        (a, b, values) => {
          if (!areDisjoint(a, b)) return;
          proven += 1;
          const both = ajv.compile({ allOf: [a, b] });
          expect(values.filter((candidate) => both(candidate))).toEqual([]);
        },
      ),
      { numRuns: 600 },
    );
    expect(proven).toBeGreaterThan(50);
  });

  it('that are endlessly nested or listed are judged at once', () => {
    let [left, right]: JsonSchema[] = [{ type: 'string' }, { type: 'string' }];
    for (let depth = 0; depth < 200; depth += 1) {
      left = { allOf: [left ?? true, left ?? true] };
      right = { anyOf: [right ?? true, right ?? true] };
    }
    expect(areDisjoint(left ?? true, right ?? true)).toBe(false);
    const values = Array.from({ length: 50_000 }, (_, index) => index);
    expect(areDisjoint({ enum: values }, { enum: values.map((number) => -1 - number) })).toBe(true);
    const objects = (sign: number): JsonSchema => ({
      enum: values.map((number) => ({ id: sign * (number + 1) })),
    });
    expect(areDisjoint(objects(1), objects(-1))).toBe(false);
  });
});
