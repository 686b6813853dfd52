import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Json, JsonObject } from '../../../../generator/json/json.ts';
import { buildContract } from '../../contract/contract-builder.ts';
import { emitPackage, writePackage, type WrittenPackage } from '../../contract/emit-package.ts';
import { runsOf } from '../../../some.ts';

/** Alternatives that each contain the same member, which has the same alternatives. */
function alternatives(name: string): JsonObject {
  const each = (member: string): JsonObject => ({
    type: 'object',
    properties: { a: { $ref: `#/$defs/${name}` } },
    required: [member],
  });
  return { anyOf: [each('b'), { oneOf: [each('c'), each('d')] }, { type: 'integer' }] };
}

/** Schemas that discard the failures of some of their parts. They call one another, also in cycles. */
const schemas: Readonly<Record<string, JsonObject>> = {
  Leaf: { type: 'integer', minimum: 0, maximum: 9, multipleOf: 2 },
  List: { type: 'array', items: { $ref: '#/$defs/Leaf' } },
  Tree: {
    type: 'object',
    properties: {
      a: { $ref: '#/$defs/Leaf' },
      b: { anyOf: [{ $ref: '#/$defs/List' }, { $ref: '#/$defs/Tree' }, { type: 'string' }] },
      c: { oneOf: [{ $ref: '#/$defs/List' }, { type: 'array', minItems: 2 }, { const: 1 }] },
      d: { not: { $ref: '#/$defs/List' } },
    },
    required: ['a', 'b'],
    additionalProperties: { $ref: '#/$defs/Leaf' },
  },
  Cases: {
    type: 'array',
    items: {
      if: { $ref: '#/$defs/Tree' },
      then: { required: ['c'] },
      else: { anyOf: [{ $ref: '#/$defs/Leaf' }, { $ref: '#/$defs/List' }] },
    },
    contains: { $ref: '#/$defs/Leaf' },
    minContains: 2,
    uniqueItems: true,
  },
  Any: {
    anyOf: [
      { $ref: '#/$defs/Cases' },
      { allOf: [{ $ref: '#/$defs/Tree' }, { not: { required: ['d'] } }] },
      { type: 'array', prefixItems: [{ $ref: '#/$defs/Tree' }, { $ref: '#/$defs/Leaf' }] },
    ],
    unevaluatedItems: { $ref: '#/$defs/Leaf' },
  },
  Many: {
    type: 'array',
    items: { anyOf: Array.from({ length: 60 }, (_, index) => ({ const: `${index}` })) },
  },
  Equal: {
    type: 'object',
    properties: {
      a: {
        anyOf: Array.from({ length: 300 }, (_, index) => ({ type: 'string', minLength: index })),
      },
      b: { type: 'integer', minimum: 0 },
    },
  },
  Wide: {
    type: 'object',
    properties: {
      a: { anyOf: Array.from({ length: 300 }, (_, index) => ({ const: `${index}` })) },
    },
  },
  Named: {
    type: 'object',
    propertyNames: { maxLength: 2, pattern: '^[a-c]' },
    patternProperties: { '^a': { $ref: '#/$defs/Leaf' } },
    dependentSchemas: { b: { $ref: '#/$defs/Tree' } },
  },
  Slug: {
    anyOf: [
      { type: 'string', pattern: '^(?:[a-z]+-)*[a-z]+$', maxLength: 8 },
      { type: 'object', propertyNames: { pattern: '^(?:[a-z]+-)*[a-z]+$', maxLength: 8 } },
      { not: { pattern: '^(?:[a-z]+_)*[a-z]+$', maxLength: 8 } },
    ],
    if: { pattern: '^(?:[0-9]+-)*[0-9]+$', maxLength: 8 },
    then: true,
  },
  Alternatives: alternatives('Alternatives'),
  Pair: { allOf: [{ $ref: '#/$defs/Half' }, { $ref: '#/$defs/Other' }] },
  Half: { properties: { a: { $ref: '#/$defs/Pair' }, b: { type: 'integer' } } },
  Other: {
    properties: { a: { $ref: '#/$defs/Pair' } },
    additionalProperties: { not: { $ref: '#/$defs/Pair' } },
  },
  Branches: {
    type: ['object', 'array'],
    properties: { a: { $ref: '#/$defs/Branches' } },
    items: { $ref: '#/$defs/Branches' },
    if: { properties: { a: { $ref: '#/$defs/Branches' } }, required: ['b'] },
    then: { properties: { b: { $ref: '#/$defs/Leaf' } } },
    else: { oneOf: [{ maxProperties: 1 }, { properties: { c: { $ref: '#/$defs/Branches' } } }] },
    unevaluatedProperties: { $ref: '#/$defs/Branches' },
  },
  Dictionary: { type: 'object', additionalProperties: { $ref: '#/$defs/List' } },
};
const names = Object.keys(schemas);

interface Failure {
  readonly instancePath: string;
}
interface Failures {
  readonly list: readonly Failure[];
}
type Validator = (value: unknown, path: string, to: Failures) => number;

/** The maximum numbers of listed failures that are compared. */
const maxima = [100, 1, 2, 3, Infinity];
let contractPackage: WrittenPackage;
let validators: Readonly<Record<string, Validator>>;
let keywords: { readonly Failures: new (max: number) => Failures };

beforeAll(async () => {
  contractPackage = await writePackage(await emitPackage(buildContract(Object.entries(schemas))));
  const load = (file: string): Promise<unknown> =>
    import(pathToFileURL(join(contractPackage.folder, 'runtime', file)).href);
  validators = (await load('validators.js')) as typeof validators;
  keywords = (await load('keywords.js')) as typeof keywords;
});

afterAll(() => contractPackage[Symbol.asyncDispose]());

afterEach(() => {
  vi.restoreAllMocks();
});

function run(max: number, name: string, value: unknown): readonly [boolean, readonly Failure[]] {
  const validate = validators[`validate${name}`];
  if (validate === undefined) throw new Error('There is no validator.');
  const failures = new keywords.Failures(max);
  const count = validate(value, '', failures);
  return [count === 0, failures.list];
}

const leaf = fc.oneof(fc.integer({ min: -1, max: 10 }), fc.constantFrom('x', '1', null, true));
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'ab', 'long'), tie('value'), {
      noNullPrototype: true,
    }),
  ),
}));

describe('the maximum number of listed failures', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const [name, schema] of Object.entries(schemas))
    ajv.addSchema({ ...schema, $defs: schemas, $id: name }, name);

  test.each(names)('never changes whether a value is valid: %s', (name) => {
    const judge = ajv.getSchema(name);
    fc.assert(
      fc.property(anyValue, (value) => {
        const [isValid, all] = run(Infinity, name, value);
        expect(isValid).toBe(judge?.(value));
        for (const max of maxima)
          expect(run(max, name, value)).toEqual([isValid, all.slice(0, max)]);
      }),
      { numRuns: runsOf(300) },
    );
  });

  test('holds where alternatives that do not apply discard more', () => {
    const wrong = Array.from({ length: 500 }, () => -1);
    const even = Array.from({ length: 500 }, () => 2);
    const tree = { a: 2, b: { a: 2, b: { a: 2, b: even } } };
    expect(run(100, 'Tree', tree)).toEqual([true, []]);
    expect(run(100, 'Tree', { a: 2, b: 'x', d: wrong })).toEqual([true, []]);
    expect(run(100, 'Tree', { a: 2, b: 'x', c: wrong })).toEqual([true, []]);
    expect(run(100, 'Any', [{ a: 2, b: 'x' }, 2, ...even])[0]).toBe(true);
    const many = Array.from({ length: 5000 }, () => '59');
    expect(run(100, 'Many', many)).toEqual([true, []]);
    const [isValid, failures] = run(100, 'Many', [...many, 'x']);
    expect([isValid, failures.length]).toEqual([false, 61]);
    expect(run(100, 'List', [...even, ...wrong])[1]).toHaveLength(100);
  });
});

describe('the violations of a value', () => {
  interface Violation {
    readonly pointer: string;
    readonly keyword: string;
  }
  type Listing = (value: unknown) => readonly Violation[];

  async function violations(name: string): Promise<Listing> {
    const guard = join(contractPackage.folder, 'src/index.ts');
    const module = (await import(pathToFileURL(guard).href)) as Readonly<Record<string, Listing>>;
    return module[`validate${name}`] as Listing;
  }

  test('are merged before their number is limited', async () => {
    const equalViolations = (await violations('Equal'))({ a: true, b: -1 });
    expect(equalViolations.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual([
      '/a type',
      '/a anyOf',
      '/b minimum',
    ]);
  });

  test('name a union that has more alternatives than there are violations', async () => {
    const wideViolations = (await violations('Wide'))({ a: 'x', b: -1 });
    expect(wideViolations).toHaveLength(100);
    expect(wideViolations.at(-1)).toMatchObject({ pointer: '/a', keyword: 'anyOf' });
  });

  test('are at most 100, of which unions are at most half', async () => {
    const manyViolations = (await violations('Many'))(Array.from({ length: 5000 }, () => 'x'));
    expect(manyViolations).toHaveLength(100);
    expect(manyViolations.filter(({ keyword }) => keyword === 'anyOf')).toHaveLength(50);
    expect(new Set(manyViolations.map((violation) => JSON.stringify(violation))).size).toBe(100);
  });

  test('are none for a valid value whose alternatives fail more often', async () => {
    expect((await violations('Wide'))({ a: '299' })).toEqual([]);
    expect((await violations('Equal'))({ a: '299'.repeat(100) })).toEqual([]);
  });
});

describe('in linear time', () => {
  test.each([100, 1000, 5000])('%i items are compared with one another', (count) => {
    let steps = 0;
    const items = Array.from(
      { length: count },
      (_, index) =>
        new Proxy(
          { index },
          {
            ownKeys(target) {
              steps += 1;
              return Reflect.ownKeys(target);
            },
          },
        ),
    );
    run(100, 'Cases', items);
    expect(steps).toBeLessThanOrEqual(20 * count);
  });

  test.each([
    ['Alternatives', 'd'],
    ['Pair', 'c'],
    ['Branches', 'ab'],
  ])(
    'a value is nested in many others, of which each can be one of several: %s',
    (name, member) => {
      const stepsFor = (depth: number): number => {
        let steps = 0;
        let value: object = {};
        for (let level = 0; level < depth; level++) {
          const inner = value;
          value = {
            [member]: 1,
            get a() {
              steps += 1;
              return inner;
            },
          };
        }
        run(100, name, value);
        return steps;
      };
      expect(stepsFor(60)).toBeLessThanOrEqual(60 * 40);
    },
  );

  test('a long member name is part of the pointers below it', () => {
    let read = 0;
    const replace = String.prototype.replace;
    vi.spyOn(String.prototype, 'replace').mockImplementation(function (
      this: string,
      pattern: unknown,
      by: unknown,
    ) {
      read += this.length;
      return Reflect.apply(replace, this, [pattern, by]) as string;
    });
    const value = { ['n'.repeat(100_000)]: Array.from({ length: 1000 }, () => -2) };
    const [, failures] = run(100, 'Dictionary', value);
    expect(failures).toHaveLength(100);
    expect(failures[0]?.instancePath).toBe(`/${'n'.repeat(256)}…/0`);
    expect(read).toBeLessThanOrEqual(1000 * 3000);
  });
});

test('a pattern is not matched against a text that is longer than maxLength, wherever it is', () => {
  let matched: number[] = [];
  const match = RegExp.prototype.test;
  vi.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
    matched.push(text.length);
    return match.call(this, text);
  });
  const texts = ['a'.repeat(9), '\u{1f600}'.repeat(9), 'a-'.repeat(1000), '😀'.repeat(8)];
  for (const text of texts) {
    run(100, 'Slug', text);
    run(100, 'Slug', { [text]: 1 });
  }
  expect(new Set(matched)).toEqual(new Set([16]));
  matched = [];
  run(100, 'Slug', 'a-b');
  expect(matched.length).toBeGreaterThan(0);
});

test('equal items are reported as Ajv reports them', () => {
  const ajv = new Ajv2020({ allErrors: true });
  const validate = ajv.compile({ type: 'array', uniqueItems: true });
  const value = fc.oneof(
    fc.constantFrom<Json>(0, -0, '0', 1, '1', null, 'null', true, [], [0], ['0'], {}),
    fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom<Json>(0, '0', [], {}), {
      noNullPrototype: true,
    }),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 8 }), (items) => {
      const isUnique = validate(items);
      const { i, j } = (validate.errors?.[0]?.params ?? {}) as { i?: number; j?: number };
      const [, failures] = run(Infinity, 'Cases', items);
      const uniqueItemsFailure = failures.find(
        (failure) => (failure as { keyword?: string }).keyword === 'uniqueItems',
      );
      expect(uniqueItemsFailure === undefined).toBe(isUnique);
      if (uniqueItemsFailure !== undefined)
        expect(uniqueItemsFailure).toMatchObject({ params: { i, j } });
    }),
  );
});
