import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../generator/schema/model.ts';
import { SchemaNode, hasType, typeOf } from '../../generator/schema/node.ts';

const cases: readonly [string, JsonSchema, Partial<SchemaNode>][] = [
  ['true', true, { isAnything: true, isNever: false, keywords: {} }],
  ['false', false, { isNever: true, isAnything: false, keywords: { not: {} } }],
  ['a reference', { $ref: '#/$defs/A~1B' }, { reference: 'A/B' }],
  ['one type', { type: 'string' }, { types: ['string'] }],
  ['several types', { type: ['string', 'null'] }, { types: ['string', 'null'] }],
  ['no type', {}, { types: undefined, values: undefined, reference: undefined, required: [] }],
  ['a constant', { const: null }, { values: [null], constant: null }],
  ['listed values', { enum: [1, 2] }, { values: [1, 2], constant: undefined }],
  ['one listed value', { enum: ['a'] }, { values: ['a'], constant: 'a' }],
  [
    'properties',
    { properties: { a: true, b: {} }, required: ['b'] },
    {
      properties: [
        ['a', true],
        ['b', {}],
      ],
      required: ['b'],
    },
  ],
  ['lists of schemas', { allOf: [{}], anyOf: [true] }, { allOf: [{}], anyOf: [true], oneOf: [] }],
  ['citations', { 'x-source': ['2.4', '2.5'] }, { source: ['2.4', '2.5'] }],
  ['one citation', { 'x-source': '2.4' }, { source: ['2.4'] }],
];

describe('the view of a schema', () => {
  it.each(cases)('reads %s', (_, schema, expected) => {
    const node = new SchemaNode(schema);
    for (const [name, value] of Object.entries(expected)) {
      expect(node[name as keyof SchemaNode], name).toEqual(value);
    }
  });

  it('reads only own properties', () => {
    const node = new SchemaNode({ properties: { a: false } });
    expect([node.property('a'), node.property('toString')]).toEqual([false, undefined]);
  });
});

describe('the type of a value', () => {
  it.each([
    [null, 'null'],
    [[], 'array'],
    [{}, 'object'],
    [1.5, 'number'],
    ['', 'string'],
    [true, 'boolean'],
  ] as const)('of %j is %s', (value, type) => {
    expect(typeOf(value)).toBe(type);
    expect(hasType(value, type)).toBe(true);
  });

  it('of a whole number is an integer, too', () => {
    expect([hasType(1, 'integer'), hasType(1, 'number'), hasType(1.5, 'integer')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
