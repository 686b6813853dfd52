import { expect, test } from 'vitest';
import type { Risk } from '../../generator/contract/contract.ts';
import { furtherRisks, riskiest, settleCommand } from '../../generator/contract/ledger-states.ts';

const entry = (
  id: string,
  loses?: Risk['loses'],
  settled?: string,
): { readonly id: string; readonly risk?: Risk; readonly settled?: string } => ({
  id,
  ...(loses === undefined ? {} : { risk: { loses, because: `${id} is lost.` } }),
  ...(settled === undefined ? {} : { settled }),
});

test('the questions to ask are those that lose something, the worst first, in the order of the contract', () => {
  const entries = [
    entry('a', 'trust'),
    entry('b'),
    entry('c', 'messages'),
    entry('d', 'money'),
    entry('e', 'money', 'Yes.'),
    entry('f', 'money'),
    entry('g', 'messages'),
  ];
  expect(riskiest(entries).map(({ id }) => id)).toEqual(['d', 'f', 'c', 'g', 'a']);
  expect(riskiest([entry('b'), entry('e', 'money', 'Yes.')])).toEqual([]);
});

test('of questions about one loss, those with a rank come first', () => {
  const ranked = (id: string, loses: Risk['loses'], rank?: number) => ({
    id,
    risk: { loses, because: `${id} is lost.`, ...(rank === undefined ? {} : { rank }) },
  });
  const entries = [
    ranked('a', 'money'),
    ranked('b', 'messages', 1),
    ranked('c', 'money', 2),
    ranked('d', 'money'),
    ranked('e', 'money', 1),
  ];
  expect(riskiest(entries).map(({ id }) => id)).toEqual(['e', 'c', 'a', 'd', 'b']);
});

test('ten questions are asked at most, and the least loss is left out', () => {
  const many = Array.from({ length: 12 }, (_, index) =>
    entry(`q${index}`, index === 0 ? 'trust' : 'money'),
  );
  expect(riskiest(many).map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_, index) => `q${index + 1}`),
  );
});

test('a question is settled by a choice, or by a sentence where it has none', () => {
  const choice = { name: 'a', value: 'a', meaning: 'The first.' };
  expect(settleCommand({ id: 'unit', choices: [choice] })).toBe('countersign settle unit=<choice>');
  expect(settleCommand({ id: 'unit', choices: [] })).toBe("countersign settle unit='<sentence>'");
});

test('after ten questions, the ids of the others with a risk are left', () => {
  const entries = Array.from({ length: 12 }, (_, index) => ({
    id: `entry-${index}`,
    risk: { loses: index === 11 ? 'money' : 'trust', because: 'A reason.' } as const,
  }));
  expect(riskiest(entries)).toHaveLength(10);
  expect(furtherRisks(entries)).toEqual(['entry-9', 'entry-10']);
  expect(furtherRisks(entries.slice(0, 10))).toEqual([]);
});
