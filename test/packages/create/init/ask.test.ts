import { expect, test } from 'vitest';
import { targetNames } from '../../../../generator/index.ts';
import type { AskedChoice } from '../../../../generator/cli/terminal.ts';
import { meaningOf } from '../../../../packages/create/src/init/about-answers.ts';
import { answerQuestions } from '../../../../packages/create/src/init/ask.ts';
import {
  choice,
  type Question,
  questions,
} from '../../../../packages/create/src/init/questions.ts';

const colors: readonly Question<'color' | 'name'>[] = [
  choice('color', 'Which color?', ['red', 'green'], 'green'),
  { name: 'name', text: 'Which name?', propose: ({ color }) => color, read: (text) => text },
];

type Invocation = Parameters<typeof answerQuestions<'color' | 'name'>>[1];

function invoke(terminal: object): Invocation {
  const settings = { errorIsTerminal: false, environment: {}, error: () => undefined };
  return {
    options: {},
    flags: { json: false, color: false },
    terminal: { ...settings, ...terminal },
  } as unknown as Invocation;
}

test('answers are chosen where there are choices, and written where there are none', async () => {
  const chosen: AskedChoice[] = [];
  const asked: string[] = [];
  const terminal = {
    choose: async (question: AskedChoice) => {
      chosen.push(question);
      return 'red';
    },
    ask: async (prompt: string) => {
      asked.push(prompt);
      return '';
    },
  };
  expect(await answerQuestions(colors, invoke(terminal))).toEqual({ color: 'red', name: 'red' });
  expect(asked).toEqual(['Which name? [red] ']);
  expect(chosen).toEqual([
    {
      text: 'Which color?',
      answers: [{ name: 'red' }, { name: 'green' }],
      isSeveral: false,
      proposal: 'green',
    },
  ]);
});

test('nothing is written if the user cancels a choice', async () => {
  const terminal = { choose: async () => undefined, ask: async () => 'never asked' };
  await expect(answerQuestions(colors, invoke(terminal))).rejects.toMatchObject({
    code: 'cancelled',
  });
});

test('each answer of a question says what it means', () => {
  const answers = [
    ...questions.flatMap(({ name, choices = [] }) =>
      choices.map((answer) => [name, answer] as const),
    ),
    ...targetNames.map((answer) => ['target', answer] as const),
  ];
  expect(answers.length).toBeGreaterThan(20);
  expect(answers.filter(([name, answer]) => meaningOf(name, answer) === undefined)).toEqual([]);
});
