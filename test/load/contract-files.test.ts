import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ContractFiles } from '../../generator/load/contract-files.ts';
import { load } from '../../generator/load/load.ts';
import { writeContract } from './write-contract.ts';

const files = {
  'calls/openapi.yaml': `openapi: 3.1.2
info: { title: Shop, version: 1.0.0 }
paths: {}
components: { schemas: { Order: { $ref: ../common/order.yaml } } }
`,
  'common/order.yaml': 'type: string\n',
};

test.each<[string, ContractFiles, readonly string[]]>([
  ['may not leave the folder of its document', {}, ['escaping-reference']],
  ['may lead about in the folder that the configuration names', { folder: '.' }, []],
  ['may not leave that one either', { folder: 'calls' }, ['escaping-reference']],
])('a reference %s', async (_, more, codes) => {
  const folder = await writeContract(files);
  try {
    const { diagnostics } = await load({ openapi: 'calls/openapi.yaml', ...more }, { folder });
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  } finally {
    await rm(folder, { recursive: true });
  }
});
