import { expect, test } from 'vitest';
import { indexSchemas } from '../../../../generator/schema/references.ts';
import { groupSchemas } from '../../../../generator/targets/contract/validators/schema-groups.ts';
import { buildContract } from '../contract-builder.ts';

function groups(references: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const contract = buildContract(
    Object.entries(references).map(([name, targets]) => [
      name,
      { allOf: targets.map((target) => ({ $ref: `#/$defs/${target}` })) },
    ]),
  );
  return groupSchemas(indexSchemas(contract)).map(({ schemas }) =>
    schemas.map(({ name }) => name).join(' '),
  );
}

test.each([
  ['schemas without references', { A: [], B: [] }, ['A', 'B']],
  ['a chain', { A: ['B'], B: ['C'], C: [] }, ['A', 'B', 'C']],
  ['a schema in itself', { A: ['A'] }, ['A']],
  ['two in each other', { A: ['B'], B: ['A'], C: ['A'] }, ['A B', 'C']],
  [
    'a long circle with a tail',
    { Z: ['A'], C: ['A', 'D'], A: ['B'], B: ['C'], D: [] },
    ['Z', 'C A B', 'D'],
  ],
  ['two circles in a row', { A: ['B'], B: ['A', 'C'], C: ['D'], D: ['C'] }, ['A B', 'C D']],
  ['two circles that share a schema', { A: ['B', 'C'], B: ['A'], C: ['A'] }, ['A B C']],
])('%s', (_, references, expected) => {
  expect(groups(references)).toEqual(expected);
});

test('a chain of a hundred thousand schemas is no deep stack', () => {
  const count = 100_000;
  const chain = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `S${index}`,
      index + 1 < count ? [`S${index + 1}`] : [],
    ]),
  );
  expect(groups(chain)).toHaveLength(count);
});
