import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Json, JsonObject } from '../../../generator/json.ts';
import { compileValidators } from '../../../generator/targets/contract/validators/compile-validators.ts';
import { relink, type LinkTarget } from '../../../generator/targets/contract/validators/relink.ts';
import { printValidator } from '../../../generator/targets/contract/validators/print-validator.ts';
import {
  linkPrinted,
  type PrintedValidator,
} from '../../../generator/targets/contract/validators/validator-writer.ts';

/** A function, and what its module has to have for it. */
interface Linked {
  readonly text: string;
  readonly constants: readonly string[];
  readonly imports: readonly string[];
}

const nameOf = (name: string): string => `validate${name}`;

function link(put: (target: LinkTarget) => string): Linked {
  const constants: string[] = [];
  const imports = new Set<string>();
  const text = put({
    import(from, name) {
      imports.add(`${from} ${name}`);
      return name;
    },
    constant(prefix, value) {
      constants.push(`${prefix} ${value}`);
      return `${prefix}${constants.length}`;
    },
    validator(name) {
      if (name !== 'Own') imports.add(name);
      return nameOf(name);
    },
  });
  return { text, constants, imports: [...imports].toSorted() };
}

function byAjv(schema: JsonObject): Linked {
  const [[, { text, names }] = ['', { text: '', names: [] }]] = [
    ...compileValidators([{ name: 'Own', schema }], false),
  ];
  return link((target) => relink(text, new Map(names.map((name) => [name.name, name])), target));
}

const print = (schema: JsonObject): PrintedValidator | undefined =>
  printValidator('Own', schema, nameOf);

const other = { $ref: 'Other' };
const text = { type: 'string' };
const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`p${index}`, text]));

describe('the function of a schema', () => {
  test.each<readonly [string, JsonObject]>([
    ['nothing', {}],
    ['another', other],
    ['one type', text],
    ['one type in a list', { type: ['number'], minimum: 1 }],
    ['a type and null', { type: ['integer', 'null'], maximum: -1.5 }],
    ['lists and objects', { type: ['array', 'object', 'string'] }],
    ['lists, objects and null', { type: ['null', 'object', 'array', 'number', 'integer'] }],
    ['every type', { type: ['null', 'boolean', 'string', 'integer', 'array'] }],
    ['a number', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1e21, multipleOf: 0.01 }],
    ['an integer', { type: 'integer', minimum: 0, format: 'int32' }],
    ['a number of no known format', { type: 'number', format: 'money' }],
    ['a number of a format of texts', { type: 'number', format: 'date' }],
    ['a text', { type: 'string', minLength: 1, maxLength: 9, pattern: '^\\d"/\u2028$' }],
    ['a text of a format', { type: 'string', format: 'date-time' }],
    ['a text of a format of numbers', { type: 'string', format: 'int64' }],
    ['bounds without a type', { minimum: 1, minLength: 1, minItems: 1, minProperties: 1 }],
    ['one value', { const: 'a"\u2029' }],
    ['no value', { const: null }],
    ['a truth', { properties: { a: { const: true } } }],
    ['values', { type: ['string', 'null'], enum: ['a', null, 1, false] }],
    ['a list', { type: 'array', minItems: 1, maxItems: 2, items: { type: 'array', items: text } }],
    ['a list of others', { items: other }],
    ['a list of one value', { type: 'array', items: { enum: ['a'] } }],
    ['a list of nothing', { type: 'array', items: false }],
    ['a list of anything', { type: 'array', items: true }],
    ['a list of what asks nothing', { type: 'array', items: { properties: {} } }],
    ['members', { type: 'object', required: ['a', 'b-c'], properties: { a: other, 'b-c': text } }],
    ['members by odd names', { properties: { 'a"~/\n': text, é: { type: 'integer' }, $_: text } }],
    [
      'names that objects inherit',
      {
        type: 'object',
        required: ['toString'],
        properties: { constructor: text, valueOf: { items: other } },
      },
    ],
    [
      'members by names that nobody sees, or that end an element',
      {
        required: ['\u202e', 'a</b'],
        properties: { '\u202e': text, 'a<': { properties: { '!--': other } }, ſ: text },
      },
    ],
    ['values that turn the reading order', { enum: ['\u2066', '<!--'], pattern: '^\u200f$' }],
    ['members that ask nothing', { properties: { a: {}, b: { properties: {} }, c: true } }],
    ['members that may not be', { type: 'object', properties: { a: false } }],
    ['no members', { type: 'object', properties: {} }],
    ['any more members', { type: 'object', additionalProperties: true }],
    ['any more members, or null', { type: ['object', 'null'], additionalProperties: {} }],
    ['no more members', { properties: { a: text, b: text }, additionalProperties: false }],
    ['no members at all', { type: 'object', additionalProperties: false }],
    ['no more than many members', { properties: many, additionalProperties: false }],
    [
      'maps of maps',
      { type: 'object', additionalProperties: { additionalProperties: { items: other } } },
    ],
    ['maps of what asks nothing', { additionalProperties: { properties: {} } }],
    ['two members that are not together', { not: { required: ['a', 'b-c'] } }],
    [
      'members that are not together',
      {
        type: 'object',
        properties: { a: text },
        not: { anyOf: [{ required: ['a', 'toString'] }, { required: ['c'] }] },
        allOf: [other],
        anyOf: [other, { not: { required: ['d'] } }],
      },
    ],
    [
      'members of items that are not together',
      { items: { type: 'object', not: { anyOf: [{ required: ['a', 'b'] }] } } },
    ],
    [
      'members of a member that are not together',
      { properties: { a: { not: { required: ['a'] } } } },
    ],
    ['several at once', { allOf: [other, {}, { type: 'object', required: ['a'] }] }],
    ['alternatives', { properties: { a: { anyOf: [other, text, false, { type: 'null' }] } } }],
    ['alternatives with any', { anyOf: [text, true] }],
    ['exactly one', { items: { oneOf: [other, {}, { enum: [1] }, false] } }],
    ['alternatives in alternatives', { oneOf: [{ anyOf: [text, { allOf: [other] }] }, text] }],
  ])('that says %s is what Ajv compiles, to the character', (_, schema) => {
    const printed = print(schema);
    expect(printed).toBeDefined();
    if (printed !== undefined)
      expect(link((target) => linkPrinted(printed, target))).toEqual(byAjv(schema));
  });

  test.each<readonly [string, JsonObject]>([
    ['a keyword that few use', { properties: { a: { not: text } } }],
    ['a reference with something beside it', { ...other, type: 'string' }],
    ['a reference that leads nowhere', { $ref: 'Nowhere' }],
    ['a value of members', { enum: [{ a: 1 }] }],
    ['an expression that is none', { pattern: '(' }],
    ['fifty alternatives', { anyOf: Array.from({ length: 50 }, () => text) }],
    ['two hundred values', { enum: Array.from({ length: 200 }, (_, index) => index) }],
    ['a type that is none', { type: 'text' }],
    ['a name that is no text', { properties: { '\ud800': text } }],
    ['what was evaluated', { type: 'object', unevaluatedProperties: false }],
  ])('with %s is left to Ajv', (_, schema) => {
    const known = (name: string): string | undefined =>
      name === 'Nowhere' ? undefined : nameOf(name);
    expect(printValidator('Own', schema, known)).toBeUndefined();
  });

  test.each<readonly [string, JsonObject]>([
    ['printed', { required: ['\u202e'], properties: { '\u202e</': { enum: ['\u2066'] } } }],
    ['printed', { pattern: '\u202e' }],
    ['compiled', { uniqueItems: true, properties: { '\u202e</': { enum: ['\u2066'] } } }],
    ['compiled', { patternProperties: { '\u202e': text } }],
  ])('shows every character of a contract, %s: %j', (how, schema) => {
    const own = print(schema);
    expect(own === undefined ? 'compiled' : 'printed').toBe(how);
    const linked = own === undefined ? byAjv(schema) : link((target) => linkPrinted(own, target));
    const code = [linked.text, ...linked.constants].join('\n');
    expect(code).toContain('\\u202e');
    expect(code).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]|<\//u);
  });

  it('is the same whatever the schema is made of', () => {
    let printed = 0;
    fc.assert(
      fc.property(anySchema, (schema) => {
        const own = print(schema);
        if (own === undefined) return;
        printed += 1;
        expect(link((target) => linkPrinted(own, target))).toEqual(byAjv(schema));
      }),
      { numRuns: 400 },
    );
    expect(printed).toBeGreaterThan(300);
  });
});

const scalar = fc.constantFrom<Json>('x', 'y', '', 0, -1.5, true, null);
const member = fc.constantFrom('a', 'b', 'c-d', 'toString', 'e/~');
const count = fc.constantFrom(0, 1, 2);
const typeName = fc.constantFrom(
  'null',
  'boolean',
  'string',
  'number',
  'integer',
  'array',
  'object',
);

/** Schemas of up to three keywords, so that what stands beside what is left to chance. */
const { schema: anySchema } = fc.letrec<{ schema: JsonObject; sub: Json }>((tie) => {
  const schemas = fc.array(tie('sub'), { minLength: 1, maxLength: 3 });
  const keyword = fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1 })) }),
    fc.record({ const: scalar }),
    fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }) }),
    fc.record({ minimum: count }),
    fc.record({ multipleOf: fc.constantFrom(1, 0.01) }),
    fc.record({ maxLength: count }),
    fc.record({ pattern: fc.constantFrom('^a', 'b') }),
    fc.record({ format: fc.constantFrom('date', 'int32', 'none') }),
    fc.record({ minItems: count }),
    fc.record({ maxProperties: count }),
    fc.record({ required: fc.uniqueArray(member, { maxLength: 2 }) }),
    fc.record({ items: tie('sub') }),
    fc.record({ additionalProperties: tie('sub') }),
    fc.record({
      properties: fc.dictionary(member, tie('sub'), { maxKeys: 3, noNullPrototype: true }),
    }),
    fc.record({ allOf: schemas }),
    fc.record({ anyOf: schemas }),
    fc.record({ oneOf: schemas }),
  );
  return {
    schema: fc
      .array(keyword, { minLength: 1, maxLength: 3 })
      .map((keywords): JsonObject => Object.assign({}, ...keywords) as JsonObject),
    sub: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<Json>(true, false, {}, other),
      tie('schema'),
    ),
  };
});
