import { expect, test } from 'vitest';
import type { Unstated } from '../../generator/contract/contract.ts';
import { literal } from '../../generator/targets/escape.ts';
import { OpenQuestions } from '../../generator/targets/open-questions.ts';
import { buildContract } from './contract/contract-builder.ts';

const entry = (id: string, more: Partial<Unstated>): Unstated => ({
  kind: 'unstated',
  pointer: 'openapi#',
  source: [],
  id,
  optionName: id,
  question: `${id}?`,
  choices: [
    { name: 'a', value: 1, meaning: 'One.' },
    { name: 'b-c', value: 2, meaning: 'Two.' },
  ],
  usedBy: [],
  answers: [],
  affects: [],
  ...more,
});

function ask(): OpenQuestions {
  const unstated = [entry('first', { assumed: 'a' }), entry('limit', {}), entry('unasked', {})];
  return new OpenQuestions(buildContract([], { unstated }), ['limit']);
}

test('what is stated is written as it is, and asks nothing', () => {
  const questions = ask();
  expect(questions.valueOf('utf-8').text).toBe('"utf-8"');
  expect(questions.answerOf('utf-8').text).toBe('"utf-8"');
  expect([questions.options, questions.rows(), questions.members(), questions.answers()]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

test('what is open becomes a choice by an option, required where nothing is assumed', () => {
  const questions = ask();
  expect(questions.valueOf({ unstated: 'limit' }).text).toBe(
    'choose(options, "limitAnswer", { a: 1, "b-c": 2 })',
  );
  expect(questions.valueOf({ unstated: 'first' }).text).toBe(
    'choose(options, "first", { a: 1, "b-c": 2 }, "a")',
  );
  const named = questions.valueOf<number>({ unstated: 'first' }, (value) =>
    literal(value === 1 ? 'a' : 'b-c'),
  );
  expect(named.text).toBe('choose(options, "first", ["a","b-c"], "a")');
  expect(questions.members().map(({ text }) => text.split('\n').at(-1))).toEqual([
    'readonly first?: "a" | "b-c";',
    'readonly limitAnswer: "a" | "b-c";',
  ]);
});

test('an option names its entry, and the choice that is assumed, without their texts', () => {
  const questions = ask();
  questions.valueOf({ unstated: 'first' });
  questions.valueOf({ unstated: 'limit' });
  const [first = '', limit = ''] = questions.members().map(({ text }) => text);
  expect(first).toContain('Open: first (a assumed)');
  expect(limit).toContain('Open: limit */');
  expect(first + limit).not.toContain('One.');
});

test('an option never has a name that the interface has already, in code as on pages', () => {
  const questions = ask();
  expect(questions.answerOf({ unstated: 'limit' }).text).toBe('answers.limitAnswer');
  expect(questions.answers().map(([name]) => name)).toEqual(['limitAnswer']);
  expect(questions.rows()).toEqual([
    {
      name: 'limitAnswer',
      id: 'limit',
      question: 'limit?',
      choices: 'a, b-c',
      assumed: 'none: it has to be given',
    },
  ]);
  expect(questions.rows(new Set(['limit']))).toEqual([
    expect.objectContaining({ id: 'limit', question: undefined }),
  ]);
});
