import { expect, it } from 'vitest';
import { commands } from '../../generator/cli/commands.ts';
import { createProgram } from '../../generator/cli/program.ts';
import { CommandError } from '../../generator/tools/command-error.ts';
import { readSyntax } from './command-syntax.ts';
import { runInProcess } from './run-in-process.ts';

const pages = [[], ...commands.map(({ name }) => [name])];

it.each(pages)(
  'the help of countersign %s fits 80 columns, also without a terminal',
  async (name) => {
    const { code, out } = await runInProcess('/', [
      ...(name === undefined ? [] : [name]),
      '--help',
    ]);
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(out).not.toContain('\u001b');
  },
);

it.each(pages)('countersign help %s shows the same page as --help', async (...name) => {
  const { code, out, error } = await runInProcess('/', ['help', ...name]);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toBe((await runInProcess('/', [...name, '--help'])).out);
});

it('the help of a command has everything that it takes, and examples of it', async () => {
  let terms = 0;
  for (const { name } of commands) {
    const { command: definition, terms: taken, examples } = await readSyntax(name);
    const { out } = await runInProcess('/', [name, '--help']);
    const words = out.replaceAll(/\s+/gu, ' ');
    expect(words).toContain(definition.description.replaceAll(/\s+/gu, ' '));
    terms += taken.length;
    for (const [term, meaning] of taken) {
      expect(words).toContain(term);
      expect(words).toContain(meaning);
    }
    expect(examples.length).toBeGreaterThan(0);
    const unfolded = words.replaceAll(' \\ ', ' ');
    for (const [command, meaning] of examples) {
      expect(unfolded).toContain(command);
      expect(unfolded).toContain(meaning);
    }
  }
  expect(terms).toBeGreaterThan(commands.length);
});

it('the first page of help lists every command', async () => {
  const { out } = await runInProcess('/', ['--help']);
  expect(commands.length).toBeGreaterThan(10);
  for (const { name, summary } of commands) {
    expect(out).toMatch(new RegExp(`^  ${name} `, 'mu'));
    expect(out.replaceAll(/\s+/gu, ' ')).toContain(summary);
  }
});

const withoutOptions = ['check', 'unstated'];

/** Texts of which each option with a parser accepts one. */
const optionTexts = ['word', 'name=word', 'name:word', '1'];

/** Returns the arguments that a command gets from a command line; `undefined` if an option refuses its value. */
async function argumentsOf(words: readonly string[]): Promise<readonly unknown[] | undefined> {
  let values: readonly unknown[] | undefined;
  const program = createProgram(
    async (_, invocation) => {
      ({ values } = invocation);
    },
    { out: () => {}, error: () => {} },
  );
  await program.parseAsync([...words], { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
  });
  return values;
}

it.each(commands)('no option of $name takes the argument behind it', async ({ name }) => {
  const { options, arguments: declared } = await readSyntax(name);
  const words = declared.map(({ argChoices }) => argChoices?.[0] ?? 'argument');
  const expected = declared.map(({ variadic }, index) =>
    variadic ? [words[index]] : words[index],
  );
  expect(options.length > 0).toBe(!withoutOptions.includes(name));
  expect(await argumentsOf([name, ...words])).toEqual(expected);
  for (const { long = '', required, optional, argChoices } of options) {
    // It would take an argument, if that is the next word.
    expect(optional, long).toBe(false);
    const texts = required ? (argChoices ?? optionTexts) : [undefined];
    const lines = texts.map((text) => [
      name,
      long,
      ...(text === undefined ? [] : [text]),
      ...words,
    ]);
    const accepted = (await Promise.all(lines.map(argumentsOf))).filter(
      (values) => values !== undefined,
    );
    expect(accepted.length, long).toBeGreaterThan(0);
    for (const values of accepted) expect(values, long).toEqual(expected);
  }
});

it.each([
  [['send', '--header-env', 'a=B', 'orderPaid'], '--header-env requires --to'],
  [['send', '--signature', 'hmac', 'orderPaid'], '--signature requires --to'],
  [['init', '--contract', 'api.yaml', 'shop'], '"api.yaml"'],
  [['generate', '--target', 'client', 'api.yaml'], '"api.yaml"'],
  [['lint', '--format', 'github', 'api.yaml'], '"api.yaml"'],
  [['generate', 'api.yaml', '--target', 'client', '--target', 'clint'], 'Did you mean "client"?'],
])('an argument can follow an option: %j', async (words, message) => {
  const { code, error } = await runInProcess('/', words);
  expect(code).not.toBe(0);
  expect(error).toContain(message);
});

it.each([
  [['lint', '--format', 'githb'], 'Allowed choices are text, json, github.'],
  [['diff', 'main', '--fail-on', 'braking'], 'Allowed choices are breaking, any.'],
  [['init', '--manager', 'pmpn'], 'Allowed choices are npm, pnpm, yarn, bun.'],
  [['inbox', 'lst', '--store', 'inbox.db'], 'Allowed choices are list, show, export,'],
  [['init', '--title', 'x', '--contract', 'o.yaml'], "cannot be used with option '--contract"],
])('the choices and conflicts of options are stated: %j', async (words, message) => {
  const { code, out, error } = await runInProcess('/', words);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(error).toContain(message);
});
