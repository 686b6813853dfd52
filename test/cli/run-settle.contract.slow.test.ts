import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { choicesOf, insertsValue } from '../../generator/documents/unstated-entries.ts';
import { ledger } from '../spec/answered-contract.ts';
import { answersAt } from '../spec/witnesses.ts';
import { repository } from '../targets/emit-project.ts';
import { createProject } from './project.ts';
import { runInProcess } from './run-in-process.ts';

const entries = ledger.map((entry) => ({
  id: entry.id,
  // A choice that requires a value is an answer of its own.
  choices: choicesOf(entry)
    .map(({ name }) => name)
    .filter((name) => !insertsValue(entry, name)),
}));
const longest = Math.max(...entries.map(({ choices }) => choices.length));
const money = ['cashout-stage-one-status', 'cashout-form', 'due-date-or-static'].concat(
  'lower-case-forms',
  'reversal-party-data',
);

let folder: string;
beforeEach(async () => {
  ({ folder } = await createProject({
    'countersign.config.mjs': `export default {
  contract: { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' },
  scope: '@settled',
  output: 'generated',
  targets: ['contract'],
};
`,
  }));
  await rm(join(folder, 'openapi.yaml'));
  await cp(join(repository, 'spec'), join(folder, 'spec'), { recursive: true });
});

/** Settles entries; returns what the ledger then has as their answers. */
async function settle(answers: Readonly<Record<string, string>>): Promise<object> {
  const words = Object.entries(answers).map(([id, answer]) => `${id}=${answer}`);
  const { code, error } = await runInProcess(folder, ['settle', ...words]);
  expect(code, error).toBe(0);
  const { out } = await runInProcess(folder, ['unstated', '--json']);
  const settled: readonly { id: string; settled?: string }[] = JSON.parse(out).results[0].unstated;
  return Object.fromEntries(
    settled.flatMap((entry) => (entry.settled ? [[entry.id, entry.settled]] : [])),
  );
}

describe('countersign settle on the contract of this repository', () => {
  it.each(Array.from({ length: longest }, (_, position) => position))(
    'writes choice %i of every entry',
    async (position) => {
      const answers = answersAt(position, entries);
      expect(Object.keys(answers)).toEqual(expect.arrayContaining(money));
      expect(await settle(answers)).toEqual(answers);
    },
  );

  it('writes a sentence for every entry without choices, which is shown as the answer', async () => {
    const without = entries.filter(({ choices }) => choices.length === 0);
    expect(without.length).toBeGreaterThan(10);
    const answers = Object.fromEntries(without.map(({ id }) => [id, `They answered ${id}.`]));
    expect(await settle(answers)).toEqual(answers);
    const generated = await runInProcess(folder, ['generate']);
    expect(generated.code, generated.error).toBe(0);
    const { openQuestions } = await import(
      join(folder, 'generated/contract/src/open-questions.ts')
    );
    for (const [id, settled] of Object.entries(answers))
      expect(openQuestions[id]).toMatchObject({ state: 'settled', settled });
  });

  const form = (name: string, pattern: string): object => ({
    [name]: [{ '$request.body#/Pix/txid': { pattern } }],
  });
  const settleForms = async (
    value: object,
    ...more: readonly string[]
  ): ReturnType<typeof runInProcess> =>
    runInProcess(folder, [
      'settle',
      'due-date-or-static=by-form',
      '--value',
      JSON.stringify(value),
      ...more,
    ]);

  it('writes forms that distinguish two kinds, and replaces no listed meaning', async () => {
    const value = { ...form('isDueDateForm', '^DUE'), ...form('isStaticForm', '^STA') };
    const shown = await settleForms(value, '--dry-run');
    expect(shown.code, shown.error).toBe(0);
    expect(shown.out).toContain('pattern: ^DUE');
    const { code, error } = await settleForms(value);
    expect(code, error).toBe(0);
    const { out } = await runInProcess(folder, ['unstated', '--json']);
    const entries: readonly { id: string; settled?: string; choices: readonly object[] }[] =
      JSON.parse(out).results[0].unstated;
    expect(entries.find(({ id }) => id === 'due-date-or-static')).toMatchObject({
      settled: 'by-form',
      choices: [{}, {}, { name: 'by-form', value, meaning: expect.stringContaining('static') }],
    });
  });

  it.each([
    [{ ...form('isDueDateForm', '^DUE'), ...form('isStaticForm', '(.+)\\1$') }, 'slow-pattern'],
    [{ ...form('isDueDateForm', '^DUE'), ...form('isStaticForm', '[') }, 'invalid-pattern'],
    [{ isDueDateForm: '^DUE', ...form('isStaticForm', '^STA') }, 'invalid-extension'],
  ])('reports a form that is not valid where the overlay has it: %j', async (value, problem) => {
    const { code, error } = await settleForms(value);
    expect(code).toBe(1);
    expect(error).toContain(`[${problem}] spec/overlays/answers-asyncapi.yaml:`);
    expect(error).toContain('Nothing was written.');
  });

  it('requires the value of a choice that the contract cannot complete', async () => {
    const { code, error } = await runInProcess(folder, ['settle', 'due-date-or-static=by-form']);
    expect(code).toBe(2);
    expect(error).toContain('due-date-or-static=by-form requires --value');
  });

  it('writes no sentence where an entry has choices', async () => {
    const sentence = 'cashout-form=As a list.';
    const { code, error } = await runInProcess(folder, ['settle', sentence]);
    expect(code).toBe(2);
    expect(error).toContain('no choice "As a list." of cashout-form');
  });
});
