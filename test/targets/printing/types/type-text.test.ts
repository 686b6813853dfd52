import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../../generator/schema/model.ts';
import { indexSchemas } from '../../../../generator/schema/references.ts';
import { declaredMembersIn } from '../../../../generator/targets/printing/types/declared-members.ts';
import {
  type TypeNames,
  writeType,
} from '../../../../generator/targets/printing/types/type-text.ts';
import { buildContract } from '../../contract/contract-builder.ts';

/** Writes the type of a schema beside named ones, white space aside. */
function typeOf(
  schema: JsonSchema,
  named: Readonly<Record<string, JsonSchema>> = {},
  more: Partial<TypeNames> = {},
): string {
  const { text } = writeType(schema, {
    typeNameOf: (name) => `T${name}`,
    enumeratedTypeOf: () => undefined,
    declaredBy: declaredMembersIn(indexSchemas(buildContract(Object.entries(named)))),
    formatTypeOf: (format) => (format === 'money' ? 'Money' : undefined),
    commentOf: () => '',
    ...more,
  });
  return text.replaceAll(/\s+/gu, ' ');
}

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

it.each<[string, JsonSchema]>([
  ['unknown', true],
  ['unknown', {}],
  ['never', false],
  ['string | null', { type: ['string', 'null'] }],
  ['number', { type: ['integer', 'number'] }],
  ['Money', { type: 'string', format: 'money', 'x-extensible-enum': ['a'] }],
  ['string', { type: 'string', format: 'constructor' }],
  ['"a" | "b" | (string & {})', { type: 'string', 'x-extensible-enum': ['a', 1, 'b'] }],
  ['1 | (number & {})', { type: 'integer', 'x-extensible-enum': ['a', 1] }],
  ['string', { type: 'string', 'x-extensible-enum': [] }],
  ['1', { type: 'integer', enum: [1, '1', 1.5] }],
  ['never', { type: 'string', enum: [1] }],
  ['null', { const: null }],
  ['[1, { "a": "b"; "c-d": [] }]', { const: [1, { a: 'b', 'c-d': [] }] }],
  ['unknown[]', { type: 'array' }],
  ['(string | null)[]', { items: { type: ['string', 'null'] } }],
  ['never[]', { type: 'array', items: false }],
  ['[string, ...unknown[]]', { prefixItems: [{ type: 'string' }], minItems: 3 }],
  ['[] | [string]', { prefixItems: [{ type: 'string' }], items: false }],
  ['"a" | (string & {})', { anyOf: [{ const: 'a' }, { type: 'string' }] }],
  ['string', { oneOf: [false, { type: 'string' }] }],
  ['never', { oneOf: [false, false] }],
])('%s', (expected, schema) => {
  expect(typeOf(schema)).toBe(expected);
});

describe('an object', () => {
  it.each<[string, JsonSchema]>([
    ['{ [k: string]: unknown; }', { type: 'object' }],
    ['{ [k: string]: never; }', { type: 'object', additionalProperties: false }],
    ['{ [k: string]: number; }', { additionalProperties: { type: 'number' } }],
    ['{ a?: string; }', { properties: { a: { type: 'string' } } }],
    ['{ a: string; }', { required: ['a'], properties: { a: { type: 'string' } } }],
    ['{ a: unknown; }', { required: ['a'], additionalProperties: false }],
    [
      '{ a: number; [k: string]: number; }',
      { required: ['a'], additionalProperties: { type: 'number' } },
    ],
    [
      '{ a: unknown; [k: string]: unknown; }',
      { required: ['a'], patternProperties: { b: { type: 'string' } } },
    ],
    [
      '{ [k: string]: string | number; }',
      { patternProperties: { b: { type: 'string' } }, additionalProperties: { type: 'number' } },
    ],
    ['{ a?: string; } | null', { type: ['object', 'null'], properties: { a: { type: 'string' } } }],
  ])('%s', (expected, schema) => {
    expect(typeOf(schema)).toBe(expected);
  });

  it('has members of any name, as names and not as code', () => {
    const names = ['__proto__', 'constructor', 'a-b', '"', '*/', '\u2028', '${x}', ''];
    const text = typeOf({
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, true])),
    });
    expect(text).toBe(
      String.raw`{ ["__proto__"]: unknown; constructor: unknown; "a-b": unknown; "\"": unknown; "*/": unknown; "\u2028": unknown; "${'${x}'}": unknown; "": unknown; }`,
    );
  });

  it('has the comments of its members', () => {
    const commentOf = (member: JsonSchema): string => (member === true ? '/** Any. */' : '');
    expect(typeOf({ required: ['b'], properties: { a: {}, c: true } }, {}, { commentOf })).toBe(
      '{ a?: unknown; /** Any. */ c?: unknown; /** Any. */ b: unknown; }',
    );
  });
});

describe('a reference', () => {
  const named = {
    Loan: { type: 'object', properties: { id: { type: 'string' }, 'due-on': {} } },
    Perhaps: { type: ['object', 'null'], properties: { id: {} } },
    Either: { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
  } as const;
  const pick = (from: string, keys: string): string =>
    `{ [key in keyof ${from} as key extends ${keys} ? key : never]-?: ${from}[key] }`;

  it.each<[string, JsonSchema]>([
    ['TLoan', ref('Loan')],
    ['TLoan', { ...Object(ref('Loan')), type: 'object' }],
    [`TLoan & ${pick('TLoan', '"id"')}`, { ...Object(ref('Loan')), required: ['id'] }],
    [
      `TLoan & ${pick('TLoan', '"id" | "due-on"')}`,
      { allOf: [ref('Loan')], required: ['id', 'due-on'] },
    ],
    [
      `(TPerhaps extends infer value ? value extends object ? value & ${pick('value', '"id"')} : value : never)`,
      { allOf: [ref('Perhaps')], required: ['id'] },
    ],
    [
      `(TEither extends infer value ? value extends object ? value & ${pick('value', '"a"')} & { a: unknown } : value : never)`,
      { allOf: [ref('Either')], required: ['a'] },
    ],
    ['(TLoan | TPerhaps)[]', { items: { anyOf: [ref('Loan'), ref('Perhaps')] } }],
  ])('%s', (expected, schema) => {
    expect(typeOf(schema, named)).toBe(expected);
  });

  it('in an alternative requires members that the schema around it declares', () => {
    expect(
      typeOf({
        type: 'object',
        properties: { a: { type: 'string' }, b: {} },
        anyOf: [{ required: ['a'] }, { required: ['b', 'c'] }],
      }),
    ).toBe('{ a?: string; b?: unknown; } & ({ a: string; } | ({ b: unknown; } & { c: unknown; }))');
    expect(typeOf({ allOf: [ref('Loan')], oneOf: [{ required: ['id'] }] }, named)).toBe(
      `${pick('TLoan', '"id"')} & TLoan`,
    );
  });

  it('of an enumeration keeps the literals beside any text', () => {
    const enumeratedTypeOf = (name: string): 'string' | undefined =>
      name === 'Color' ? 'string' : undefined;
    const schema: JsonSchema = { anyOf: [ref('Color'), { type: 'string' }] };
    expect(typeOf(schema, {}, { enumeratedTypeOf })).toBe('TColor | (string & {})');
    expect(typeOf(schema)).toBe('TColor | string');
  });
});

it('a file has the types of files, and may be null', () => {
  const files: NonNullable<TypeNames['files']> = {
    types: ['Blob', 'Uint8Array'],
    isFile: (node) => node.text('format') === 'binary',
  };
  const file: JsonSchema = { type: 'string', format: 'binary' };
  expect(typeOf(file, {}, { files })).toBe('Blob | Uint8Array');
  expect(typeOf({ ...file, type: ['string', 'null'] }, {}, { files })).toBe(
    'Blob | Uint8Array | null',
  );
  expect(typeOf({ items: file }, {}, { files })).toBe('(Blob | Uint8Array)[]');
  expect(typeOf(file)).toBe('string');
});
