import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
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
    await using written = await buildPackage(await readOpenapi({ openapi, ...document }));
    await writeFile(join(written.project, 'use.ts'), use);
    const options = { compiler: 'ts7', resolution: 'nodenext', from: 'built' } as const;
    await compileStrictly(written.project, ['use.ts'], options);
  },
);
