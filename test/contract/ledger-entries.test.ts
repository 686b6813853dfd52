import { expect, test } from 'vitest';
import type { Unstated } from '../../generator/contract/contract.ts';
import { describeAnswer, entriesAt, ledgerLines } from '../../generator/contract/ledger-entries.ts';
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
  entry('answered', { answers: ['openapi#/s/B/enum'], settled: 'a' }),
];

test.each<[Pointer, readonly string[]]>([
  ['openapi#/s/A', ['own', 'used', 'changes', 'settled']],
  ['openapi#/s/A/properties/b', ['inner']],
  ['openapi#/s/B', ['changes', 'answered']],
  ['openapi#/s/AB', []],
  ['openapi#/info', ['used', 'changes', 'answered']],
])('%s depends on %j', (place, ids) => {
  expect(entriesAt({ unstated }, place).map(({ id }) => id)).toEqual(ids);
});

const choices = [
  { name: 'a', value: 'a', meaning: 'The first.' },
  { name: 'b', value: 'b', meaning: 'The second.' },
];

test('a comment names entries, sorted and each once, with choices by their names and answers in words as they are', () => {
  const unit = entry('unit', { choices, assumed: 'a', remark: 'None.' });
  const settled = entry('form', { choices, assumed: 'a', settled: 'b' });
  const stated = entry('code', { settled: 'The code is 0.' });
  expect(ledgerLines([unit, entry('list', {}), stated, unit, settled])).toEqual([
    'Open: list, unit (a assumed)',
    'Settled: form (b)',
    'Settled: code: The code is 0.',
  ]);
  expect(ledgerLines([])).toEqual([]);
});

test.each([
  [{ choices, assumed: 'a', settled: 'b', remark: 'None.' }, 'Settled: `b`. The second.'],
  [{ settled: 'The code is 0.', remark: 'None.' }, 'Settled: The code is 0.'],
  [{ choices, assumed: 'a', remark: 'None.' }, 'Assumed: `a`. The first.'],
  [{ choices, remark: 'None.' }, 'None.'],
  [{}, 'Nothing is assumed.'],
])('a page states for %j what holds', (more, text) => {
  expect(describeAnswer(entry('id', more))).toBe(text);
});
