import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../generator/schema/model.ts';
import { typeSchemas } from '../../../../generator/targets/printing/types/types.ts';
import { buildContract } from '../../contract/contract-builder.ts';

const user: JsonSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, home: { type: 'object', properties: { city: {} } } },
};

/** The types of schemas, white space aside. */
function typesOf(schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, string>> {
  const types = typeSchemas(buildContract(Object.entries(schemas)));
  return Object.fromEntries(
    Array.from(types, ([name, { kind, text }]) => [
      name,
      `${kind} ${text.replaceAll(/\s+/g, ' ')}`,
    ]),
  );
}

test('an object type that occurs many times is written out wherever it does', () => {
  const typeText = '{ id: number; home?: { city?: unknown; }; }';
  expect(
    typesOf({
      User: user,
      Users: { type: 'array', items: user },
      Pair: { type: 'object', properties: { a: { ...user, description: 'The first.' }, b: user } },
      Perhaps: { anyOf: [{ type: 'null' }, user] },
    }),
  ).toEqual({
    User: `interface ${typeText}`,
    Users: `alias ${typeText}[]`,
    Pair: `interface { /** The first. */ a?: ${typeText}; b?: ${typeText}; }`,
    Perhaps: `alias null | ${typeText}`,
  });
});

test('a required member that only additionalProperties describes has the type that it describes', () => {
  const described: JsonSchema = {
    type: 'object',
    required: ['id'],
    additionalProperties: { type: 'string', description: 'Any.' },
  };
  const patternProperties = { '^i': { type: 'integer' } } as const;
  expect(
    typesOf({
      Texts: described,
      Mixed: { ...described, properties: { size: { type: 'integer' } } },
      Several: { ...described, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      Patterns: { ...described, patternProperties },
      Closed: { ...described, additionalProperties: false },
    }),
  ).toEqual({
    Texts: 'interface { id: string; [k: string]: string; }',
    Mixed: 'interface { size?: number; id: string; [k: string]: string | number | undefined; }',
    Several: 'alias { id: string; [k: string]: string; } & ({ a: unknown; } | { b: unknown; })',
    Patterns: 'interface { id: unknown; [k: string]: unknown; }',
    Closed: 'interface { id: unknown; }',
  });
});

test('no name of a contract is taken for what stands for an object type', () => {
  const types = typesOf({
    Inline0: user,
    Holder: { type: 'object', properties: { a: { $ref: '#/$defs/Inline0' }, b: user } },
  });
  expect(types['Holder']).toMatch(/^interface \{ a\?: Inline0; b\?: \{ id: number/);
});

test('a member that is declared in one part of a schema and required in another is required', () => {
  const part: JsonSchema = { properties: { id: { type: 'string' }, note: { type: 'string' } } };
  const base: JsonSchema = { $ref: '#/$defs/Base' };
  expect(
    typesOf({
      Base: part,
      Derived: { allOf: [base], required: ['id'] },
      Sibling: { allOf: [base, { required: ['id'] }] },
      Inline: { allOf: [part], required: ['id'] },
      Complete: { ...part, allOf: [{ required: ['note', 'id'] }] },
      // What is required there already needs nothing here.
      Again: { allOf: [{ $ref: '#/$defs/Derived' }], required: ['id'] },
    }),
  ).toEqual({
    Base: 'interface { id?: string; note?: string; }',
    Derived: 'alias Base & { [key in keyof Base as key extends "id" ? key : never]-?: Base[key] }',
    Sibling: 'alias Base & { [key in keyof Base as key extends "id" ? key : never]-?: Base[key] }',
    Inline: 'interface { id: string; note?: string; }',
    Complete: 'interface { id: string; note: string; }',
    Again: 'alias Derived',
  });
});

test('an alternative that requires a member has the type that the schemas around it declare', () => {
  const part: JsonSchema = { properties: { id: { type: 'string' }, tax: { type: 'integer' } } };
  const anyOf: JsonSchema[] = [{ required: ['id'] }, { required: ['tax'] }];
  expect(
    typesOf({
      Base: { type: 'object', ...part },
      Own: { type: 'object', ...part, anyOf },
      Referred: { allOf: [{ $ref: '#/$defs/Base' }], anyOf },
      Deeper: {
        ...part,
        oneOf: [{ allOf: [{ type: 'object', required: ['id'] }] }, anyOf[1] ?? true],
      },
      Redeclared: { ...part, oneOf: [{ properties: { id: { const: 'a' } }, required: ['id'] }] },
      Undeclared: { ...part, oneOf: [{ required: ['other'] }] },
      // Both alternatives require what the schema requires anyway.
      Nothing: { ...part, required: ['id', 'tax'], anyOf },
    }),
  ).toEqual({
    Base: 'interface { id?: string; tax?: number; }',
    Own: 'alias { id?: string; tax?: number; } & ({ id: string; } | { tax: number; })',
    Referred:
      'alias ({ [key in keyof Base as key extends "id" ? key : never]-?: Base[key] } | { [key in keyof Base as key extends "tax" ? key : never]-?: Base[key] }) & Base',
    Deeper: 'alias { id?: string; tax?: number; } & ({ id: string; } | { tax: number; })',
    Redeclared: 'alias { id?: string; tax?: number; } & { id: "a"; }',
    Undeclared: 'alias { id?: string; tax?: number; } & { other: unknown; }',
    Nothing: 'interface { id: string; tax: number; }',
  });
});
