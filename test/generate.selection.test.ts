import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../generator/config/load-config.ts';
import { generate, readContract } from '../generator/generate.ts';
import type { Generation } from '../generator/output/generation.ts';
import { temporaryFolder } from './output/temporary-folder.ts';
import { readTree, writeTree } from './output/tree.ts';

const openapi = `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks:
  orderPaid: { post: { operationId: orderPaid, responses: { '200': { description: Done. } } } }
  orderSent: { post: { operationId: orderSent, responses: { '200': { description: Done. } } } }
`;

const configuration = (selection: string): string => `export default {
  contract: { openapi: 'openapi.yaml' },
  scope: '@shop',
  output: 'generated',
  targets: ['contract'],
  ${selection}
};
`;

async function run(folder: string, selection: string): Promise<Generation> {
  await writeTree(folder, { 'countersign.config.mjs': configuration(selection) });
  const { configs, file } = await loadConfig(folder);
  const [config] = configs;
  if (config === undefined) throw new Error('The configuration has no contract.');
  return await generate(config, { folder, file });
}

test('a name in `include` that the contract does not have stops before anything is removed', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'openapi.yaml': openapi, 'package.json': '{}' });
  const first = await run(folder, "include: { events: ['orderPaid', 'orderSent'] },");
  expect(first.status).toBe('written');
  const before = await readTree(join(folder, 'generated'));
  expect(Object.keys(before)).not.toEqual([]);

  const second = await run(folder, "include: { events: ['orderPaid', 'orderSend'] },");
  expect(second.status).toBe('invalid');
  expect(second.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([
    {
      code: 'unmatched-selection',
      severity: 'error',
      message: '`include.events[1]`: the contract has no event "orderSend".',
      help: 'Did you mean "orderSent"?',
      file: 'countersign.config.mjs',
      line: 6,
      column: 36,
    },
  ]);
  const shown = second.files.find(({ path }) => path === 'countersign.config.mjs');
  expect(shown?.text).toContain('orderSend');
  expect(await readTree(join(folder, 'generated'))).toEqual(before);
});

test('a name in `exclude` that the contract does not have is a warning', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'openapi.yaml': openapi, 'package.json': '{}' });
  const { status, diagnostics } = await run(folder, "exclude: { events: ['orderSend'] },");
  expect(status).toBe('written');
  expect(diagnostics.filter(({ code }) => code === 'unmatched-selection')).toMatchObject([
    { severity: 'warning', file: 'countersign.config.mjs', line: 6, column: 23 },
  ]);
});

test('another revision of the contract can lack what is selected', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'openapi.yaml': openapi });
  const { contract, diagnostics } = await readContract(
    {
      contract: { openapi: 'openapi.yaml' },
      output: 'generated',
      targets: [],
      include: { events: ['orderPaid', 'orderReturned'] },
    },
    folder,
    { isOtherRevision: true },
  );
  expect(contract?.notifications.map(({ id }) => id)).toEqual(['orderPaid']);
  expect(diagnostics.filter(({ code }) => code === 'unmatched-selection')).toMatchObject([
    { severity: 'warning', file: 'openapi.yaml', line: 1 },
  ]);
});
