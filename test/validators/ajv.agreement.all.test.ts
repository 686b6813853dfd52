import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { readContract } from '../../generator/generate.ts';
import { sampleDocuments, smallDocuments } from '../corpus/sample.ts';
import { type Agreement, compareWithAjv } from './plain-ajv.ts';

test('compiled validators and Ajv agree about values and violations of the documents of the corpus', async () => {
  const sums: Omit<Agreement, 'differences'> = {
    schemas: 0,
    accepted: 0,
    refused: 0,
    violations: 0,
    withoutSample: 0,
  };
  let documents = 0;
  const disagreeing: string[] = [];
  for (const { name, path, folder, kind } of [
    ...(await smallDocuments()),
    ...(await sampleDocuments()),
  ]) {
    const { contract } = await readContract(
      { contract: { [kind]: relative(folder, path), folder: '.' }, output: 'out', targets: [] },
      folder,
    );
    if (contract === undefined) continue;
    const { differences, ...counts } = await compareWithAjv(contract, 2, 40);
    documents += 1;
    for (const count of Object.keys(sums) as (keyof typeof sums)[]) sums[count] += counts[count];
    disagreeing.push(...differences.map((difference) => `${name}: ${difference}`));
  }
  console.log(`${documents} documents: ${JSON.stringify(sums)}`);
  expect(disagreeing).toEqual([]);
  expect(sums.accepted).toBeGreaterThan(10_000);
  expect(sums.refused).toBeGreaterThan(10_000);
}, 3_600_000);
