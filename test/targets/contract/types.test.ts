import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../generator/contract/contract.ts';
import { typeSchemas } from '../../../generator/targets/contract/types.ts';
import { buildContract } from './contract-builder.ts';

const user: JsonSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, home: { type: 'object', properties: { city: {} } } },
};

/** The types of schemas, white space aside. */
async function typesOf(
  schemas: Readonly<Record<string, JsonSchema>>,
): Promise<Readonly<Record<string, string>>> {
  const types = await typeSchemas(buildContract(Object.entries(schemas)), ts);
  return Object.fromEntries(
    Array.from(types, ([name, { kind, text }]) => [
      name,
      `${kind} ${text.replaceAll(/\s+/g, ' ')}`,
    ]),
  );
}

test('an object type that occurs many times is written out wherever it does', async () => {
  const written = '{ id: number home?: { city?: unknown } }';
  expect(
    await typesOf({
      User: user,
      Users: { type: 'array', items: user },
      Pair: { type: 'object', properties: { a: { ...user, description: 'The first.' }, b: user } },
      Perhaps: { anyOf: [{ type: 'null' }, user] },
    }),
  ).toEqual({
    User: `interface ${written}`,
    Users: `alias ${written}[]`,
    Pair: `interface { /** The first. */ a?: ${written} b?: ${written} }`,
    Perhaps: `alias (null | ${written})`,
  });
});

test('no name of a contract is taken for what stands for an object type', async () => {
  const types = await typesOf({
    Inline0: user,
    Holder: { type: 'object', properties: { a: { $ref: '#/$defs/Inline0' }, b: user } },
  });
  expect(types['Holder']).toMatch(/^interface \{ a\?: Inline0 b\?: \{ id: number/);
});
