import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOpenapi } from '../client/emit-client.ts';
import { compileStrictly } from '../strict-compile.ts';
import { buildPackage } from './emit-package.ts';

const properties = {
  txid: { type: 'string' },
  key: { type: 'string' },
  amount: { type: 'number' },
};
const base = { $ref: '#/components/schemas/Base' };
const anyOf = [{ required: ['txid'] }, { required: ['key'] }];

const document = {
  info: { title: 'Charges', version: '1.0.0' },
  paths: {},
  components: {
    schemas: {
      Base: { type: 'object', properties },
      Charge: { allOf: [base], required: ['txid'] },
      Found: { type: 'object', properties, anyOf },
      FoundBase: { allOf: [base], anyOf },
    },
  },
};

const use = `
import type { Charge, Found, FoundBase } from '@trade/contract';

export const txidOf = (charge: Charge): string => charge.txid;
export const charge: Charge = { txid: 'a', amount: 1 };
// @ts-expect-error -- \`txid\` is a string
export const numbered: Charge = { txid: 1 };
export const found: readonly (Found & FoundBase)[] = [{ txid: 'a' }, { key: 'b' }];
// @ts-expect-error -- one of the two is required
export const nothing: Found = { amount: 1 };
// @ts-expect-error -- one of the two is required
export const nothingInBase: FoundBase = { amount: 1 };
// @ts-expect-error -- \`key\` is a string
export const mistyped: Found = { key: 1 };
`;

test.each(['3.0.3', '3.1.1'])(
  'OpenAPI %s: a required member has its declared type, whichever part requires it',
  async (openapi) => {
    await using contractPackage = await buildPackage(await readOpenapi({ openapi, ...document }));
    await writeFile(join(contractPackage.project, 'use.ts'), use);
    const options = { compiler: 'ts7', resolution: 'nodenext', from: 'built' } as const;
    await expect(
      compileStrictly(contractPackage.project, ['use.ts'], options),
    ).resolves.toBeUndefined();
  },
);

const anyRef = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const only = { required: ['x'] };

/** Schemas of OpenAPI 3.0 whose part `x` is declared by a schema that accepts more than one object type. */
const nullableSchemas = {
  OrNull: { type: 'object', nullable: true, properties: { x: { type: 'string' } } },
  Inside: { allOf: [anyRef('OrNull')], description: 'One more step.' },
  Cat: { type: 'object', properties: { x: { type: 'string' }, meow: { type: 'boolean' } } },
  Dog: { type: 'object', properties: { x: { type: 'string' }, bark: { type: 'boolean' } } },
  Bird: { type: 'object', properties: { sings: { type: 'boolean' } } },
  Either: { oneOf: [anyRef('Cat'), anyRef('Dog')] },
  Any: { anyOf: [anyRef('Cat'), anyRef('Bird')], nullable: true },
  OrText: { oneOf: [anyRef('OrNull'), { type: 'string' }] },
  Only: only,
  value: { type: 'object', nullable: true, properties: { x: { type: 'string' } } },
  Beside: { allOf: [anyRef('OrNull')], ...only },
  BesideSeveral: {
    allOf: [anyRef('OrNull'), { type: 'object', properties: { y: { type: 'number' } } }],
    required: ['x', 'y'],
  },
  Nested: { allOf: [{ allOf: [anyRef('Inside')] }], ...only },
  ByPart: { allOf: [anyRef('OrNull'), only] },
  ByReference: { allOf: [anyRef('OrNull'), anyRef('Only')] },
  OfAlternatives: { allOf: [anyRef('Either')], ...only },
  OfSomeAlternatives: { allOf: [anyRef('Any')], ...only },
  OfMore: { allOf: [anyRef('OrText')], ...only },
  AnObject: { type: 'object', allOf: [anyRef('OrNull')], ...only },
  ObjectAlone: { type: 'object', allOf: [anyRef('OrNull')] },
  InAlternative: { allOf: [anyRef('OrNull')], anyOf: [only, { required: ['z'] }] },
  Inline: {
    type: 'object',
    nullable: true,
    properties: { x: { type: 'string' }, y: { type: 'number' } },
    anyOf: [only, { required: ['y'] }],
  },
  Undeclared: { allOf: [anyRef('OrNull')], required: ['other'] },
  Named: { allOf: [anyRef('value')], ...only },
};

/** The same schemas in OpenAPI 3.1: a list of types, and null as an alternative. */
function withTypeLists(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withTypeLists);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, type, anyOf: some, ...rest } = schema as Record<string, unknown>;
  const keywords = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, withTypeLists(value)]),
  );
  const list = Array.isArray(some) ? some.map(withTypeLists) : undefined;
  return {
    ...keywords,
    ...(type === undefined ? {} : { type: nullable === true ? [type, 'null'] : type }),
    ...(list === undefined
      ? {}
      : { anyOf: nullable === true && type === undefined ? [...list, { type: 'null' }] : list }),
  };
}

const nullableUse = `
import * as c from '@trade/contract';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type X<T> = NonNullable<T> extends { x: infer P } ? P : 'optional';
export const texts: readonly [
  X<c.Beside>, X<c.BesideSeveral>, X<c.Nested>, X<c.ByPart>, X<c.ByReference>,
  X<c.OfAlternatives>, X<c.AnObject>, X<c.Named>,
] = ['', '', '', '', '', '', '', ''];
export const isText: Same<X<c.Beside>, string> = true;
export const orNull: readonly [
  c.Beside, c.Nested, c.ByPart, c.OfSomeAlternatives, c.OfMore, c.InAlternative,
  c.Inline, c.Undeclared, c.Named,
] = [null, null, null, null, null, null, null, null, null];
export const more: c.OfMore = 'text';
// @ts-expect-error -- the second part accepts objects alone
export const notNull: c.BesideSeveral = null;
// @ts-expect-error -- an object
export const object: c.AnObject = null;
// @ts-expect-error -- an object
export const alone: c.ObjectAlone = null;
// @ts-expect-error -- none of the alternatives accepts null
export const either: c.OfAlternatives = null;
export const all: readonly [
  c.Beside, c.BesideSeveral, c.Nested, c.OfAlternatives, c.OfSomeAlternatives, c.InAlternative, c.Inline,
] = [{ x: '' }, { x: '', y: 1 }, { x: '' }, { x: '', meow: true }, { x: '', sings: true }, { x: '' }, { y: 1 }];
// @ts-expect-error -- \`x\` is missing
export const beside: c.Beside = {};
// @ts-expect-error -- \`x\` is missing
export const reference: c.ByReference = {};
// @ts-expect-error -- \`x\` is missing
export const alternatives: c.OfAlternatives = { meow: true };
// @ts-expect-error -- \`x\` is missing
export const some: c.OfSomeAlternatives = { sings: true };
// @ts-expect-error -- \`x\` is missing
export const mixed: c.OfMore = {};
// @ts-expect-error -- one of them is required
export const inline: c.Inline = {};
// @ts-expect-error -- \`other\` is missing
export const undeclared: c.Undeclared = { x: '' };
`;

test.each([
  ['3.0.3', nullableSchemas],
  ['3.1.1', withTypeLists(nullableSchemas)],
])(
  'OpenAPI %s: a required member of a schema that accepts null or has alternatives',
  async (openapi, schemas) => {
    const contract = await readOpenapi({ ...document, openapi, components: { schemas } });
    await using contractPackage = await buildPackage(contract);
    await writeFile(join(contractPackage.project, 'use.ts'), nullableUse);
    const options = { compiler: 'ts7', resolution: 'nodenext', from: 'built' } as const;
    await expect(
      compileStrictly(contractPackage.project, ['use.ts'], options),
    ).resolves.toBeUndefined();
  },
);
