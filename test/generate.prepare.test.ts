import { expect, test } from 'vitest';
import { generate } from '../generator/generate.ts';
import type { Target } from '../generator/targets/target.ts';
import { openapiWith, writeContract } from './load/write-contract.ts';

test('targets are prepared before the contract is read', async () => {
  const folder = await writeContract({ 'openapi.yaml': openapiWith('type: string') });
  const steps: string[] = [];
  const customTarget: Target = {
    name: 'own',
    requires: [],
    fingerprint: [],
    prepare: () => steps.push('prepare'),
    emit() {
      steps.push('own files');
      return [{ path: 'own.md', text: '# Own\n', from: [] }];
    },
  };
  await generate(
    { contract: { openapi: 'openapi.yaml' }, output: 'generated', targets: [customTarget] },
    { folder, onProgress: ({ stage }) => steps.push(stage) },
  );
  expect(steps.slice(0, 5)).toEqual(['prepare', 'load', 'lower', 'emit', 'own files']);
});
