import { expect, test } from 'vitest';
import { countSamples } from '../../../../packages/simulator/src/samples/sample-maker.ts';
import { readContract } from '../../../targets/client/emit-client.ts';

test('makes a sample of every schema of our contract', async () => {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  const { made, of, failures } = await countSamples(contract);
  expect(failures).toEqual([]);
  expect(made).toBe(of);
  expect(made).toBeGreaterThan(30);
});
