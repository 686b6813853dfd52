import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../generator/json/json.ts';
import {
  type Conjunction,
  conjoin,
  hintsOf,
  impliedType,
  isRefused,
  type Order,
  refusedMembers,
} from '../../../../packages/simulator/src/samples/conjunction.ts';
import type { JsonSchema } from '../../../../generator/schema/model.ts';
import { SchemaNode } from '../../../../generator/schema/node.ts';
import { indexSchemas } from '../../../../generator/schema/references.ts';
import { buildContract } from '../../../targets/contract/contract-builder.ts';

const inOrder: Order = (alternatives) => alternatives;

function combine(
  schemas: readonly JsonSchema[],
  named: Readonly<Record<string, JsonSchema>> = {},
  order: Order = inOrder,
): Conjunction | undefined {
  return conjoin(schemas, indexSchemas(buildContract(Object.entries(named))), order);
}

const nodes = (...schemas: readonly JsonSchema[]): readonly SchemaNode[] =>
  schemas.map((schema) => new SchemaNode(schema));

const member = (schema: JsonSchema, type: Json = 'object'): JsonSchema => ({
  type,
  required: ['a'],
  properties: { a: schema },
});

describe('schemas of one value', () => {
  it.each<[string, readonly JsonSchema[], Partial<Record<'types' | 'values', Json | undefined>>]>([
    ['no schema', [], { types: undefined, values: undefined }],
    ['anything', [true, {}], { types: undefined, values: undefined }],
    ['one type', [{ type: 'string' }, {}], { types: ['string'] }],
    ['types in common', [{ type: ['string', 'null'] }, { type: 'null' }], { types: ['null'] }],
    ['number and integer', [{ type: 'number' }, { type: 'integer' }], { types: ['integer'] }],
    ['integer and number', [{ type: 'integer' }, { type: 'number' }], { types: ['integer'] }],
    [
      'both beside number',
      [{ type: ['number', 'integer'] }, { type: 'integer' }],
      { types: ['integer'] },
    ],
    [
      'integer and string',
      [{ type: ['integer', 'null'] }, { type: ['string', 'null'] }],
      { types: ['null'] },
    ],
    ['listed values', [{ enum: [1, 'a', null] }, { enum: [null, 1, 2] }], { values: [1, null] }],
    ['a constant', [{ enum: [1, '1'] }, { const: '1' }], { values: ['1'] }],
    [
      'equal objects in another order',
      [{ enum: [{ a: 1, b: [2] }, {}] }, { const: { b: [2], a: 1 } }],
      { values: [{ a: 1, b: [2] }] },
    ],
    ['values of the type', [{ enum: [1, 1.5, 'a'] }, { type: 'integer' }], { values: [1] }],
    ['the constant null', [{ const: null }], { values: [null] }],
  ])('have in common: %s', (_, schemas, expected) => {
    expect(combine(schemas)).toMatchObject(expected);
  });

  it.each<[string, readonly JsonSchema[]]>([
    ['types', [{ type: 'string' }, { type: 'object' }]],
    ['values', [{ enum: [1] }, { enum: ['1'] }]],
    ['a value and a type', [{ const: 1.5 }, { type: 'integer' }]],
    ['nothing', [{}, false]],
    ['parts of allOf', [{ type: 'string', allOf: [{ allOf: [{ type: 'null' }] }] }]],
    ['every alternative', [{ type: 'string', oneOf: [{ type: 'null' }, { const: 1 }] }]],
    [
      'types of a required member',
      [member({ type: 'string' }), { properties: { a: { type: 'null' } } }],
    ],
    ['values of a required member', [member({ const: 1 }), { properties: { a: { const: 2 } } }]],
    [
      'a required member by reference',
      [member({ $ref: '#/$defs/Text' }), { properties: { a: { type: 'null' } } }],
    ],
  ])('contradict each other in %s', (_, schemas) => {
    expect(combine(schemas, { Text: { type: 'string' } })).toBeUndefined();
  });

  it.each<[string, readonly JsonSchema[]]>([
    [
      'the value need not be an object',
      [member({ const: 1 }, ['object', 'null']), { properties: { a: { const: 2 } } }],
    ],
    [
      'the member is optional',
      [{ type: 'object', properties: { a: { const: 1 } } }, { properties: { a: { const: 2 } } }],
    ],
    ['the value is not an object', [{ ...Object(member({ const: 1 })), type: 'string' }]],
    [
      'only the name is one of Object.prototype',
      [{ type: 'object', required: ['constructor', '__proto__'] }, { properties: {} }],
    ],
  ])('do not where %s', (_, schemas) => {
    expect(combine(schemas)).toBeDefined();
  });
});

describe('references', () => {
  it('add each schema once, also where it refers to itself', () => {
    const conjunction = combine([{ $ref: '#/$defs/Node' }, { allOf: [{ $ref: '#/$defs/Node' }] }], {
      Node: { type: 'object', allOf: [{ $ref: '#/$defs/Node' }], required: ['id'] },
    });
    expect(conjunction?.types).toEqual(['object']);
    expect(conjunction?.nodes.filter((node) => node.required.includes('id'))).toHaveLength(1);
  });

  it('to a schema that the contract does not have add nothing', () => {
    expect(combine([{ $ref: '#/$defs/constructor' }])).toMatchObject({ types: undefined });
  });

  it('come after the schema and its parts', () => {
    const conjunction = combine(
      [{ $ref: '#/$defs/A', allOf: [{ minimum: 1 }, { minimum: 2 }] }, { minimum: 3 }],
      {
        A: { minimum: 0 },
      },
    );
    expect(conjunction?.nodes.map((node) => node.number('minimum'))).toEqual([
      undefined,
      1,
      2,
      0,
      3,
    ]);
  });
});

describe('alternatives', () => {
  const union: JsonSchema = {
    oneOf: [
      { required: ['card'], properties: { card: {}, note: {} } },
      { required: ['bank', 'note'], properties: { bank: {} } },
    ],
  };

  it('are chosen so that several unions agree', () => {
    const conjunction = combine([
      { anyOf: [{ const: 1 }, { const: 2 }, { const: 3 }] },
      { oneOf: [{ const: 4 }, { enum: [2, 3] }] },
    ]);
    expect(conjunction?.values).toEqual([2]);
  });

  it('are tried in the order of the caller', () => {
    const schema: JsonSchema = { anyOf: [{ const: 1 }, { const: 2 }] };
    expect(combine([schema], {}, (all) => all.toReversed())?.values).toEqual([2]);
  });

  it('of oneOf avoid the members that another one requires and they do not declare', () => {
    expect([...(combine([union])?.avoided ?? [])]).toEqual(['bank']);
    const last = combine([union], {}, (all) => all.toReversed());
    expect([...(last?.avoided ?? [])]).toEqual(['card']);
    const any = combine([{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }]);
    expect([...(any?.avoided ?? ['none'])]).toEqual([]);
  });

  it('of oneOf avoid members of a referenced schema too', () => {
    const conjunction = combine([{ oneOf: [{}, { $ref: '#/$defs/B' }] }], {
      B: { required: ['b'] },
    });
    expect([...(conjunction?.avoided ?? [])]).toEqual(['b']);
  });

  it('are the branches of if, of which else negates the condition', () => {
    const schema: JsonSchema = {
      if: { const: 1 },
      then: { type: 'integer' },
      else: { const: 'a' },
    };
    expect(combine([schema])).toMatchObject({ values: [1], types: ['integer'], negated: [] });
    const other = combine([schema, { type: 'string' }]);
    expect(other?.values).toEqual(['a']);
    expect(other?.negated.map(({ keywords }) => keywords)).toEqual([{ const: 1 }]);
    const open = combine([{ if: { const: 1 } }, { enum: [1, 2] }], {}, (all) => all.toReversed());
    expect(open).toMatchObject({ values: [1, 2], negated: [{ keywords: { const: 1 } }] });
  });

  it('are given up after a limit', () => {
    const unions = Array.from({ length: 20 }, (): JsonSchema => ({
      anyOf: [{ enum: [1, 2] }, {}],
    }));
    expect(combine(unions)?.values).toEqual([1, 2]);
    const never: JsonSchema = { anyOf: [{ const: 3 }] };
    expect(combine([...unions, never])).toBeUndefined();
    const long = Array.from({ length: 4000 }, (): JsonSchema => ({}));
    expect(combine(long)).toBeUndefined();
  });
});

it('a schema that must not be satisfied is kept', () => {
  const conjunction = combine([{ not: { type: 'string' }, allOf: [{ not: { const: 1 } }] }]);
  expect(conjunction?.negated.map(({ keywords }) => keywords)).toEqual([
    { type: 'string' },
    { const: 1 },
  ]);
});

it.each<[string | undefined, JsonSchema]>([
  ['object', { required: ['a'] }],
  ['object', { dependentRequired: {}, items: {} }],
  ['array', { contains: {} }],
  ['array', { items: {}, pattern: 'a' }],
  ['string', { format: 'date', minimum: 1 }],
  ['number', { multipleOf: 2 }],
  [undefined, { description: 'Any.' }],
])('the implied type %s', (type, schema) => {
  expect(impliedType(nodes({}, schema))).toBe(type);
});

it.each<[boolean, Json, JsonSchema]>([
  [true, 'a', { type: 'string' }],
  [true, 1, { type: ['null', 'number'] }],
  [false, 1, { type: 'string' }],
  [true, 1, { const: 1 }],
  [true, { a: 1 }, { enum: ['b', { a: 1 }] }],
  [false, '1', { enum: [1] }],
  [true, 1, true],
  [false, 1, false],
  // Only one of these keywords may refuse the value: a value of the type need not satisfy the others.
  [false, 'a', { type: 'string', pattern: 'b' }],
  [false, { a: 1 }, { type: 'object', required: ['b'] }],
  [true, 'a', { type: 'string', description: 'Any.' }],
])('isRefused returns %s for %j and %j', (expected, value, schema) => {
  expect(isRefused(value, nodes(schema))).toBe(expected);
});

it('a negated schema refuses the first optional member that it requires, in alternatives too', () => {
  const negated = nodes(
    { required: ['id', 'ID', 'x'] },
    { anyOf: [{ required: ['a'] }, { oneOf: [{ required: ['b', 'c'] }] }] },
    { required: ['id'] },
  );
  expect(refusedMembers(negated, new Set(['id']))).toEqual(['ID', 'a', 'b']);
});

it.each<[string, JsonSchema, readonly Json[]]>([
  [
    'examples, then the default and known values',
    { default: 'd', examples: ['e', 'f'], 'x-extensible-enum': ['k'] },
    ['e', 'f', 'd', 'k'],
  ],
  ['values of the type alone', { type: 'integer', examples: ['1', 1, 1.5], default: null }, [1]],
  ['no refused value', { examples: [1, 2], not: { const: 1 } }, [2]],
  [
    'a default that is false or null',
    { default: false, examples: [null, {}, []] },
    [null, {}, [], false],
  ],
  ['nothing where there are none', { type: 'string' }, []],
])('the hints are %s', (_, schema, hints) => {
  const conjunction = combine([schema]);
  expect(conjunction && hintsOf(conjunction)).toEqual(hints);
});
