import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readGitHub } from '../../bench/github.ts';
import { loadConfig } from '../../generator/config/load-config.ts';
import type { Contract } from '../../generator/contract/contract.ts';
import { readContract } from '../../generator/generate.ts';
import { readOpenapi } from '../targets/client/emit-client.ts';
import { zoo } from '../targets/contract/zoo.ts';
import { compareWithAjv } from './plain-ajv.ts';

const contracts: readonly (readonly [string, () => Promise<Pick<Contract, 'schemas'>>])[] = [
  ['with every keyword', async () => zoo],
  ['of this repository', readOwn],
  ['of GitHub webhooks', () => readOpenapi(readGitHub('webhooks', 8))],
  ['of GitHub REST', () => readOpenapi(readGitHub('REST', 40))],
];

test.each(contracts)(
  'compiled validators and Ajv agree about values and violations of the contract %s',
  async (_, read) => {
    const { differences, ...counts } = await compareWithAjv(await read(), 3, 60);
    expect(differences).toEqual([]);
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(50);
  },
  120_000,
);

async function readOwn(): Promise<Contract> {
  const { configs, folder } = await loadConfig(fileURLToPath(new URL('../../', import.meta.url)));
  const [config] = configs;
  const { contract } = config === undefined ? {} : await readContract(config, folder);
  if (contract === undefined) throw new Error('The contract of this repository has errors.');
  return contract;
}
