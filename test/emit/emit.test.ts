import { expect, it } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import { emitFiles } from '../../generator/emit/emit.ts';
import type { Progress } from '../../generator/execution/progress.ts';
import { readContract } from '../../generator/generate.ts';
import { openapiWith, writeContract } from '../load/write-contract.ts';

it('reports each target and how many of its files are done, and then those that are formatted', async () => {
  const folder = await writeContract({ 'openapi.yaml': openapiWith('type: string') });
  const config: Config = {
    contract: { openapi: 'openapi.yaml' },
    scope: '@books',
    output: 'generated',
    targets: ['contract', 'client'],
  };
  const { contract } = await readContract(config, folder);
  if (contract === undefined) throw new Error('The contract has errors.');
  const steps: Progress[] = [];
  const files = await emitFiles(contract, config, undefined, (step) => steps.push(step));

  const targets = steps.flatMap(({ target = [] }) => target);
  expect([...new Set(targets)]).toEqual(['contract', 'client']);
  const counts = steps.filter(({ target }) => target === 'contract').map(({ done }) => done);
  const emitted = files.filter(({ path }) => path.startsWith('contract/'));
  expect(counts).toEqual([undefined, ...emitted.map((_, index) => index + 1)]);
  const formatted = steps.filter(({ stage }) => stage === 'format');
  expect(formatted.map(({ done }) => done)).toEqual([0, ...files.map((_, index) => index + 1)]);
  expect(new Set(formatted.map(({ of }) => of))).toEqual(new Set([files.length]));
});
