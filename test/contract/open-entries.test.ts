import { expect, test } from 'vitest';
import type { Unstated } from '../../generator/contract/contract.ts';
import { openEntriesAt } from '../../generator/contract/open-entries.ts';
import type { Pointer } from '../../generator/json/pointer.ts';

const entry = (id: string, more: Partial<Unstated>): Unstated => ({
  kind: 'unstated',
  pointer: `openapi#/info/x-unstated/${id}`,
  source: [],
  id,
  optionName: id,
  question: `${id}?`,
  choices: [],
  usedBy: [],
  answers: [],
  affects: [],
  ...more,
});

const unstated = [
  entry('own', { pointer: 'openapi#/s/A/x-unstated/own' }),
  entry('inner', {
    pointer: 'openapi#/s/A/properties/b/x-unstated/inner',
    affects: ['openapi#/s/A'],
  }),
  entry('used', { usedBy: ['openapi#/s/A/x-of/0'] }),
  entry('changes', { affects: ['openapi#/s/A', 'openapi#/s/B/enum'] }),
  entry('settled', { pointer: 'openapi#/s/A/x-unstated/settled', settled: 'a' }),
];

test.each<[Pointer, readonly string[]]>([
  ['openapi#/s/A', ['own', 'used', 'changes']],
  ['openapi#/s/A/properties/b', ['inner']],
  ['openapi#/s/B', ['changes']],
  ['openapi#/s/AB', []],
  ['openapi#/info', ['used', 'changes']],
])('%s depends on %j', (place, ids) => {
  expect(openEntriesAt({ unstated }, place).map(({ id }) => id)).toEqual(ids);
});
