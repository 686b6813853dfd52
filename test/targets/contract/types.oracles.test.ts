import { expect, test } from 'vitest';
import { readContract } from '../client/emit-client.ts';
import { compareWithOracles } from './oracles/compare.ts';

test('the types of our contract are those that two independent writers make', async () => {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  expect(contract.schemas.length).toBeGreaterThan(20);
  expect(await compareWithOracles(contract)).toEqual([]);
});
