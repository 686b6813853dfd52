import { describe, expect, it } from 'vitest';
import { Cursor } from '../../generator/json/cursor.ts';
import { normalizePattern } from '../../generator/patterns/normalize-pattern.ts';
import { normalizeSchema, type SchemaDialect } from '../../generator/schema/normalize.ts';
import type { JsonObject } from '../../generator/json/json.ts';

function normalize(schema: JsonObject, dialect: SchemaDialect): unknown {
  return normalizeSchema(Cursor.ofDocument(schema, 'openapi'), {
    dialect,
    nameOf: (_, reference) => reference.slice(reference.lastIndexOf('/') + 1),
    patternOf: (source) => normalizePattern(source).pattern,
  });
}

const cases: readonly [string, SchemaDialect, JsonObject, unknown][] = [
  [
    'a reference loses its siblings where the dialect ignores them',
    'draft-07',
    { $ref: '#/components/schemas/A', description: 'ignored' },
    { $ref: '#/$defs/A' },
  ],
  [
    'a reference keeps its siblings in 2020-12',
    '2020-12',
    { $ref: '#/components/schemas/A', minLength: 1 },
    { $ref: '#/$defs/A', minLength: 1 },
  ],
  [
    'allOf with one reference becomes the reference with the annotations around it',
    'draft-07',
    {
      allOf: [{ $ref: '#/components/schemas/A' }],
      'x-source': '2.4',
      description: 'of this place',
    },
    { $ref: '#/$defs/A', 'x-source': '2.4', description: 'of this place' },
  ],
  [
    'allOf stays where something beside it restricts the value',
    '2020-12',
    { allOf: [{ $ref: '#/components/schemas/A' }], minLength: 1 },
    { allOf: [{ $ref: '#/$defs/A' }], minLength: 1 },
  ],
  [
    'nullable becomes a type list and a value of the enumeration',
    'openapi-3.0',
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'nullable beside allOf admits null',
    'openapi-3.0',
    { nullable: true, allOf: [{ $ref: '#/components/schemas/A' }], description: 'or none' },
    { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }], description: 'or none' },
  ],
  [
    'a limit with an exclusive flag becomes an exclusive limit',
    'openapi-3.0',
    { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { type: 'number', exclusiveMinimum: 0, maximum: 9 },
  ],
  [
    'an object in place of a list of schemas',
    'openapi-3.0',
    { allOf: { 3: { type: 'string' } }, anyOf: { maxLength: 3 } },
    { allOf: [{ type: 'string' }], anyOf: [{ maxLength: 3 }] },
  ],
  [
    'a stray nullable in 2020-12 means what it does in OpenAPI 3.0',
    '2020-12',
    { type: 'string', nullable: true },
    { type: ['string', 'null'] },
  ],
  [
    'nullable beside a reference in 2020-12 admits null',
    '2020-12',
    { $ref: '#/components/schemas/A', nullable: true, description: 'or none' },
    { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }], description: 'or none' },
  ],
  [
    'nullable beside a list of types admits null',
    '2020-12',
    { type: ['string', 'integer'], nullable: true },
    { type: ['string', 'integer', 'null'] },
  ],
  [
    'nullable beside a constant admits null',
    'openapi-3.0',
    { type: 'string', const: 'a', nullable: true },
    { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] },
  ],
  [
    'a tuple of draft-07 becomes prefixItems with items behind it',
    'draft-07',
    { items: [{ type: 'string' }, { $ref: '#/definitions/B' }], additionalItems: false },
    { prefixItems: [{ type: 'string' }, { $ref: '#/$defs/B' }], items: false },
  ],
  [
    'additionalItems without a tuple says nothing and goes',
    'draft-07',
    { items: { type: 'string' }, additionalItems: false },
    { items: { type: 'string' } },
  ],
  [
    'dependencies part into lists and schemas',
    'draft-07',
    { dependencies: { a: ['b'], c: { required: ['d'] } } },
    { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
  ],
  [
    'one example becomes a list of examples',
    'openapi-3.0',
    { type: 'string', example: 'x' },
    { type: 'string', examples: ['x'] },
  ],
  [
    'identities go, since a bundle has but one base',
    '2020-12',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://a.test/b',
      type: 'string',
    },
    { type: 'string' },
  ],
  [
    'data is not read as a schema',
    'openapi-3.0',
    { const: { nullable: true, type: 'string' }, default: { $ref: '#/x' } },
    { const: { nullable: true, type: 'string' }, default: { $ref: '#/x' } },
  ],
  [
    'a property named like a keyword is a property',
    'openapi-3.0',
    { properties: { nullable: { type: 'string', nullable: true }, $ref: { type: 'string' } } },
    { properties: { nullable: { type: ['string', 'null'] }, $ref: { type: 'string' } } },
  ],
];

describe('a schema of any dialect becomes 2020-12', () => {
  it.each(cases)('%s', (_, dialect, schema, want) => {
    expect(normalize(schema, dialect)).toEqual(want);
  });

  it('keeps the order in which the author wrote keywords and properties', () => {
    const schema = {
      required: ['b'],
      properties: { b: true, a: { type: 'string' } },
      type: 'object',
    };
    expect(JSON.stringify(normalize(schema, '2020-12'))).toBe(JSON.stringify(schema));
  });

  it('keeps a property named __proto__ as a property', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonObject;
    expect(JSON.stringify(normalize(schema, '2020-12'))).toBe(JSON.stringify(schema));
  });
});
