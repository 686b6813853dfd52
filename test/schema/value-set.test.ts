import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../generator/schema/model.ts';
import {
  areDisjoint,
  findUndecidable,
  holds,
  holdsForText,
  patternsOf,
  scalarsOf,
  typeOfScalar,
} from '../../generator/schema/value-set.ts';
import type { Json } from '../../generator/json/json.ts';
import * as fc from 'fast-check';
import { runsOf } from '../some.ts';

const pairs: readonly (readonly [a: JsonSchema, b: JsonSchema, disjoint: boolean])[] = [
  [true, {}, false],
  [false, {}, true],
  [{ type: 'string' }, { type: 'number' }, true],
  [{ type: 'integer' }, { type: 'number' }, false],
  [{ type: ['string', 'null'] }, { type: ['null', 'array'] }, false],
  [{ type: ['string', 'null'] }, { type: ['number', 'array'] }, true],
  [{ const: 1 }, { type: 'string' }, true],
  [{ const: 1.5 }, { type: 'integer' }, true],
  [{ enum: [1, 2] }, { enum: [3, 4] }, true],
  [{ enum: [1, 2] }, { enum: [2, 3] }, false],
  [{ enum: [1, 'a'] }, { type: 'boolean' }, true],
  [{ const: 2 }, { not: { const: 2 } }, true],
  [{ enum: [1, 2] }, { not: { enum: [1, 2, 3] } }, true],
  [{ enum: [1, 4] }, { not: { enum: [1, 2, 3] } }, false],
  [{ type: 'array' }, { not: { type: 'array' } }, true],
  [{ type: ['boolean'] }, { not: { enum: [true, false] } }, true],
  [{ type: ['boolean'] }, { not: { const: true } }, false],
  [{ type: 'null' }, { not: { const: null } }, true],
  [{ const: 1, title: 'One' }, { not: { const: 1 }, 'x-note': 'not one' }, true],
  [{ not: { not: { const: 1 } } }, { type: 'string' }, true],
  [{ not: { anyOf: [{ type: 'number' }, { const: 'a' }] } }, { enum: [1, 'a'] }, true],
  [{ allOf: [{ type: 'string' }] }, { type: 'number' }, true],
  [{ anyOf: [{ const: 1 }, { const: 2 }] }, { const: 3 }, true],
  [{ anyOf: [{ const: 1 }, { const: 3 }] }, { const: 3 }, false],
  [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'number' }, true],
  [{ oneOf: [{ type: 'string' }, { const: 'a' }] }, { const: 'a' }, true],
  [{ $ref: '#/anything' }, { type: 'number' }, false],
  [{ pattern: 'a' }, { pattern: 'b' }, false],
  [{ type: 'string', pattern: 'a' }, { not: { pattern: 'a' } }, true],
  [{ type: 'string', pattern: 'a' }, { type: 'integer' }, true],
  [{ pattern: 'a' }, { type: 'integer' }, false],
  [{ type: 'string', pattern: '^a' }, { enum: ['b', 'c'] }, true],
  [{ type: 'string', pattern: '^a' }, { enum: ['b', 'ab'] }, false],
  [{ pattern: null }, { type: 'string' }, false],
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
const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        const: scalar,
        enum: fc.array(scalar, { minLength: 1, maxLength: 3 }),
        not: tie('schema'),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
}));

/** Compiles schemas that are each used a few times, so that neither they nor their code are worth preparing. */
function createAjv(): Ajv2020 {
  return new Ajv2020({
    strict: false,
    validateSchema: false,
    addUsedSchema: false,
    code: { optimize: false },
  });
}

describe('two schemas', () => {
  it.each(pairs)('%j and %j exclude each other: %s', (a, b, expected) => {
    expect(areDisjoint(a, b)).toBe(expected);
    expect(areDisjoint(b, a)).toBe(expected);
  });

  it('exclude each other exactly if no value satisfies both', () => {
    const ajv = createAjv();
    // Every scalar that schemas name, and for each type a value that they do not name.
    const candidates = [null, true, false, 0, 1, 2, -1, 1.5, 'a', 'b', '', 7, 2.5, 'c', [], {}];
    const counts = { disjoint: 0, common: 0 };
    fc.assert(
      fc.property(schema, schema, (a, b) => {
        const both = ajv.compile({ allOf: [a, b] });
        const isDisjoint = areDisjoint(a, b);
        counts[isDisjoint ? 'disjoint' : 'common'] += 1;
        expect(candidates.some((candidate) => both(candidate))).toBe(!isDisjoint);
      }),
      { numRuns: 400 },
    );
    expect(Math.min(counts.disjoint, counts.common)).toBeGreaterThan(10);
  });

  it('that are endlessly nested or listed are compared at once', () => {
    let [left, right]: JsonSchema[] = [{ type: 'string' }, { type: 'string' }];
    for (let depth = 0; depth < 200; depth += 1) {
      left = { allOf: [left ?? true, left ?? true] };
      right = { anyOf: [right ?? true, right ?? true] };
    }
    expect(areDisjoint(left ?? true, right ?? true)).toBe(false);
    const values = Array.from({ length: 50_000 }, (_, index) => index);
    expect(areDisjoint({ enum: values }, { enum: values.map((number) => -1 - number) })).toBe(true);
    const many = { anyOf: Array.from({ length: 1000 }, () => ({ enum: values.slice(0, 1000) })) };
    expect(findUndecidable(many)?.reason).toBe('it names too many values');
  });
});

const patternSchema = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(type, fc.constant('string')),
        const: scalar,
        pattern: fc.constantFrom('^a', 'b$', '^.$', '^\\u{1F600}'),
        not: tie('schema'),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
})).schema;

describe('a condition with patterns', () => {
  it('holds for a value exactly if Ajv accepts it', () => {
    const ajv = createAjv();
    const values = [null, true, 1, 1.5, '', 'a', 'b', 'ab', 'ba', 'c', 'cc', '\u{1F600}', 'a\nb'];
    fc.assert(
      fc.property(patternSchema, fc.constantFrom(...values), (condition, value) => {
        const expected = ajv.compile(condition)(value);
        expect(holds(condition, { type: typeOfScalar(value), value })).toBe(expected);
        if (typeof value !== 'string' || scalarsOf(condition).includes(value)) return;
        const facts = patternsOf(condition).map(
          (pattern) => [pattern, new RegExp(pattern, 'u').test(value)] as const,
        );
        expect(holdsForText(condition, new Map(facts))).toBe(expected);
        expect([expected, undefined]).toContain(holdsForText(condition, new Map(facts.slice(1))));
      }),
      { numRuns: runsOf(1000) },
    );
  });

  it('that is endlessly nested, or has many patterns, is decided at once', () => {
    let nested: JsonSchema = { type: 'string', pattern: '^a' };
    for (let depth = 0; depth < 200; depth += 1) nested = { anyOf: [nested, { not: nested }] };
    expect(holds(nested, { type: 'string', value: 'b' })).toBe(true);
    const many = { anyOf: Array.from({ length: 6 }, (_, index) => ({ pattern: `^${index}` })) };
    expect(findUndecidable(many)?.reason).toBe('it has more than 5 patterns');
  });
});

describe('a condition', () => {
  it.each<[JsonSchema, readonly string[]]>([
    [{ minimum: 1 }, ['minimum']],
    [{ not: { anyOf: [true, { const: {} }] } }, ['not', 'anyOf', '1', 'const']],
    [{ enum: [1, []] }, ['enum']],
    [{ description: 'decidable', const: 1 }, []],
  ])('%j is undecidable at %j', (condition, members) => {
    expect(findUndecidable(condition)?.members ?? []).toEqual(members);
  });

  it('holds for classes of values', () => {
    const condition = { type: ['integer', 'null'], not: { const: 3 } };
    expect(scalarsOf(condition)).toEqual([3]);
    expect(holds(condition, { type: 'integer' })).toBe(true);
    expect(holds(condition, { type: 'integer', value: 3 })).toBe(false);
    expect(holds(condition, { type: 'number' })).toBe(false);
    expect(holds(condition, { type: 'absent' })).toBe(false);
    expect(holds(false, { type: 'absent' })).toBe(true);
    expect(() => holds({ minimum: 1 }, { type: 'integer' })).toThrow(TypeError);
  });
});
