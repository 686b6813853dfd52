import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { JsonSchema } from '../../../../generator/schema/model.ts';
import {
  type Samples,
  SampleMaker,
} from '../../../../packages/simulator/src/samples/sample-maker.ts';
import { buildContract } from '../../../targets/contract/contract-builder.ts';

async function samplesOf(
  schema: JsonSchema,
  count = 6,
  furtherSchemas: Readonly<Record<string, JsonSchema>> = {},
): Promise<Samples> {
  const maker = new SampleMaker(buildContract(Object.entries({ Root: schema, ...furtherSchemas })));
  try {
    return await maker.make('Root', count);
  } finally {
    maker.close();
  }
}

// One for all: each would compile the schema of schemas first.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  logger: false,
  code: { optimize: false },
});

function accepts(
  schema: JsonSchema,
  furtherSchemas: Readonly<Record<string, JsonSchema>> = {},
): (value: unknown) => boolean {
  return ajv.compile({
    $ref: '#/$defs/Root',
    $defs: { Root: schema, ...furtherSchemas },
  });
}

const closed = (name: string): JsonSchema => ({
  type: 'object',
  properties: { [name]: { type: 'integer' } },
  additionalProperties: false,
});

const makeable: readonly JsonSchema[] = [
  true,
  {},
  { type: 'null' },
  { const: { a: [1] } },
  { enum: ['a', 2, null] },
  { type: 'integer', minimum: 7, exclusiveMaximum: 9 },
  { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.01 },
  { type: 'number', multipleOf: 0.01, minimum: 19.985 },
  { type: 'integer', multipleOf: 4, allOf: [{ multipleOf: 6 }], minimum: 1 },
  { type: 'integer', maximum: -5 },
  { type: 'integer', format: 'int32', minimum: 2_147_483_647 },
  { type: 'string', minLength: 30, maxLength: 31 },
  { type: 'string', maxLength: 0 },
  { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
  { type: 'string', pattern: 'ab+c', minLength: 12 },
  { type: 'string', pattern: '^(?=.*\\d)(?=.*[A-Z])[\\w]{8,12}$' },
  { type: 'string', pattern: '^(?!foo)[a-z]{3}$', allOf: [{ pattern: 'o$' }] },
  { type: 'string', pattern: '(?:^a|b)c$' },
  { type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$' },
  { type: 'string', format: 'uuid', pattern: '^0' },
  { type: 'array', minItems: 3, items: { enum: [1, 2, 3] }, uniqueItems: true },
  { type: 'array', uniqueItems: true, minItems: 4, items: { type: 'object', required: ['id'] } },
  {
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'integer' }],
    items: false,
    minItems: 2,
  },
  { type: 'array', contains: { const: 5 }, minContains: 2, items: { type: 'integer' } },
  { type: 'array', prefixItems: [{ const: 1 }], unevaluatedItems: false },
  { type: 'object', required: ['a', '__proto__'], additionalProperties: { type: 'integer' } },
  { type: 'object', minProperties: 3, propertyNames: { pattern: '^x-[a-z]+$' } },
  {
    type: 'object',
    minProperties: 2,
    patternProperties: { '^n\\d$': { type: 'integer' } },
    additionalProperties: false,
  },
  { type: 'object', properties: { a: { type: 'string' }, b: {}, c: {} }, maxProperties: 1 },
  { type: 'object', required: ['a'], dependentRequired: { a: ['b'], b: ['c'] } },
  {
    type: 'object',
    required: ['a'],
    dependentSchemas: { a: { properties: { b: { const: 1 } }, required: ['b'] } },
  },
  {
    allOf: [
      { properties: { a: { minimum: 3 } } },
      { type: 'object', properties: { a: { type: 'integer', maximum: 3 } }, required: ['a'] },
    ],
  },
  { oneOf: [{ type: 'number' }, { type: 'integer' }] },
  { oneOf: [closed('a'), closed('b')] },
  {
    properties: { a: {}, b: {} },
    type: 'object',
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  { anyOf: [{ type: 'string', maxLength: 1 }, false], minLength: 1 },
  { type: 'string', not: { enum: ['text', 'alpha'] } },
  { type: 'object', properties: { a: {}, b: {} }, not: { required: ['a'] } },
  { type: ['string', 'null'], not: { type: 'string' } },
  {
    type: 'object',
    required: ['k'],
    properties: { k: { enum: [1, 2] } },
    if: { properties: { k: { const: 1 } } },
    then: { required: ['x'] },
    else: { required: ['y'] },
  },
  {
    type: 'object',
    properties: { a: {} },
    allOf: [{ properties: { b: {} } }],
    unevaluatedProperties: false,
  },
  { type: 'string', 'x-extensible-enum': ['OPEN', 'SHUT'] },
  {
    type: 'object',
    required: ['a/b~c'],
    properties: { 'a/b~c': { type: 'integer', examples: [0.5], minimum: 4 } },
  },
];

const shared = new SampleMaker(
  buildContract(makeable.map((schema, index): [string, JsonSchema] => [`S${index}`, schema])),
);
afterAll(() => shared.close());

test.each(makeable)('makes valid samples of %j', async (schema) => {
  const { values } = await shared.make(`S${makeable.indexOf(schema)}`, 6);
  expect(values.length).toBeGreaterThan(0);
  const isValid = accepts(schema);
  // Ajv divides binary fractions, and does not see a property named `__proto__`.
  for (const value of values)
    if (!/0\.01|__proto__/u.test(JSON.stringify(schema))) expect(isValid(value)).toBe(true);
});

test('makes a minimal sample, then one with all members, then others', async () => {
  const { values } = await samplesOf(
    {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        name: { type: 'string', examples: ['Ada'] },
        tags: { type: 'array', items: { enum: ['new'] } },
      },
    },
    4,
  );
  expect(values[0]).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/u) });
  expect(values[1]).toMatchObject({ name: 'Ada', tags: ['new'] });
  expect(values.length).toBeGreaterThan(2);
});

test('ends recursive values', async () => {
  const tree: JsonSchema = {
    type: 'object',
    required: ['left', 'right'],
    properties: {
      left: { oneOf: [{ $ref: '#/$defs/Root' }, { type: 'null' }] },
      right: { anyOf: [{ $ref: '#/$defs/Root' }, { type: 'integer' }] },
      more: { type: 'array', items: { $ref: '#/$defs/Root' } },
    },
  };
  const { values } = await samplesOf(tree, 4);
  expect(values.length).toBeGreaterThan(2);
  expect(values.every(accepts(tree))).toBe(true);
});

test.each<readonly [string, JsonSchema]>([
  ['no value', false],
  ['types that contradict', { type: 'string', allOf: [{ type: 'integer' }] }],
  [
    'a value without an end',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { $ref: '#/$defs/Root' }, b: { $ref: '#/$defs/Root' } },
    },
  ],
  [
    'a reference to itself that refuses',
    { $ref: '#/$defs/Root', type: 'string', maxLength: 1, minLength: 2 },
  ],
  ['a text that is too long', { type: 'string', minLength: 1e9 }],
  ['a repetition that is too long', { type: 'string', pattern: '^(?:[ab]{9999}){9999}$' }],
  ['an array that is too long', { type: 'array', minItems: 1e9 }],
  ['arrays of arrays', { type: 'array', minItems: 4000, items: { type: 'array', minItems: 4000 } }],
  ['too many members', { type: 'object', minProperties: 1e9 }],
  ['a number that does not exist', { type: 'integer', minimum: 1.2, maximum: 1.8 }],
])('makes nothing of %s, and says why', async (_, schema) => {
  const { values, failure } = await samplesOf(schema, 3);
  expect(values).toEqual([]);
  expect(failure).not.toBe('');
});

test('does not match exponential patterns against its own texts', async () => {
  const schema = { type: 'string', pattern: '^(?:a|aa)+$', minLength: 40 };
  const { values } = await samplesOf(schema, 2);
  for (const value of values) expect(value).toMatch(/^a{40,}$/u);
});

test('depends on the schemas and the seed only', async () => {
  const contract = buildContract(
    makeable.map((definition, index): [string, JsonSchema] => [`S${index}`, definition]),
  );
  const make = async (seed: number, names: readonly string[]): Promise<string[]> => {
    const maker = new SampleMaker(contract, { seed });
    const made = new Map<string, string>();
    for (const name of names) made.set(name, JSON.stringify(await maker.make(name, 4)));
    maker.close();
    return contract.schemas.map(({ name }) => made.get(name) ?? '');
  };
  const names = contract.schemas.map(({ name }) => name);
  const first = await make(1, names);
  expect(await make(1, names.toReversed())).toEqual(first);
  expect(await make(2, names)).not.toEqual(first);
});

const leaf = fc.oneof(
  fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ type: fc.constant('string'), minLength: fc.nat(9), maxLength: fc.nat(9) }),
  fc.record({ enum: fc.uniqueArray(fc.nat(4), { minLength: 1 }) }),
  fc.constant({ type: ['boolean', 'null'] }),
);
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
      required: fc.uniqueArray(fc.constantFrom('a', 'b', 'd')),
      additionalProperties: fc.boolean(),
    }),
    fc.record({
      type: fc.constant('array'),
      items: tie('schema'),
      minItems: fc.nat(3),
      uniqueItems: fc.boolean(),
    }),
    ...(['oneOf', 'anyOf', 'allOf'] as const).map((keyword) =>
      fc
        .array(tie('schema'), { minLength: 1, maxLength: 3 })
        .map((parts) => ({ [keyword]: parts })),
    ),
    tie('schema').map((not) => ({ type: 'object', not })),
  ),
}));

test('never returns an invalid value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anySchema, { minLength: 1, maxLength: 5 }), async (schemas) => {
      const contract = buildContract(schemas.map((definition, index) => [`S${index}`, definition]));
      const maker = new SampleMaker(contract);
      try {
        for (const { name, definition } of contract.schemas) {
          const { values } = await maker.make(name, 3);
          expect(values.every(accepts(definition))).toBe(true);
        }
      } finally {
        maker.close();
      }
    }),
    { numRuns: 12, seed: 5 },
  );
});
