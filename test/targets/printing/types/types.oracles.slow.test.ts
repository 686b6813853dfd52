import { expect, test } from 'vitest';
import { readContract } from '../../client/emit-client.ts';
import { buildContract } from '../../contract/contract-builder.ts';
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

test('members that are required beside parts and alternatives are at least those of openapi-typescript', async () => {
  const x = { type: 'string' } as const;
  const ref = (name: string): { $ref: string } => ({ $ref: `#/$defs/${name}` });
  const required = ['x'];
  const contract = buildContract([
    ['Cat', { type: 'object', properties: { x, meow: { type: 'boolean' } } }],
    ['Dog', { type: 'object', properties: { x, bark: { type: 'boolean' } } }],
    ['Either', { oneOf: [ref('Cat'), ref('Dog')] }],
    ['Several', { allOf: [ref('Cat'), ref('Dog')], required }],
    ['Nested', { allOf: [{ allOf: [ref('Cat')] }, { type: 'object', required }] }],
    ['OfAlternatives', { allOf: [ref('Either')], required }],
  ]);
  // Its type for a schema that accepts null does not compile: `keyof` of a union with null is `never`.
  const differences = await compareWithOracles(contract);
  const theirs = differences.filter(({ oracle }) => oracle === 'openapi-typescript');
  expect(theirs.map(({ schema, refused }) => `${schema}: ${refused}`)).toEqual([
    // It writes `Record<string, unknown>` for the part that only requires `x`, and leaves `x` optional.
    'Nested: ours to theirs',
    'Nested: theirs to ours',
    // It leaves `x` optional beside a reference to alternatives.
    'OfAlternatives: theirs to ours',
  ]);
});
