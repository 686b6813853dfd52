import { expect, test } from 'vitest';
import { readContract } from '../client/emit-client.ts';
import { buildContract } from './contract-builder.ts';
import { compareWithOracles } from './oracles/compare.ts';

test('the types of our contract are those that two independent writers make', async () => {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  expect(contract.schemas.length).toBeGreaterThan(20);
  expect(await compareWithOracles(contract)).toEqual([]);
});

test('members that another part of a schema requires are required, whatever schemas are called', async () => {
  const properties = { id: { type: 'string' }, note: { type: ['string', 'null'] } };
  const contract = buildContract([
    ['Pick', { type: 'object', properties }],
    ['Required', { allOf: [{ $ref: '#/$defs/Pick' }], required: ['id'] }],
    ['Note', { allOf: [{ $ref: '#/$defs/Pick' }], required: ['note'] }],
    ['Inline', { allOf: [{ type: 'object', properties }], required: ['id', 'note'] }],
  ]);
  const differences = await compareWithOracles(contract);
  const leavesOptional = differences.filter(
    ({ oracle, refused }) => oracle === 'json-schema-to-typescript' && refused === 'theirs to ours',
  );
  expect(differences).toEqual(leavesOptional);
});
