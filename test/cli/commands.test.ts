import { expect, it } from 'vitest';
import { commands } from '../../generator/cli/commands.ts';
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
  for (const { name, parameters = [], options = [], examples } of commands) {
    const { out } = await runInProcess('/', [name, '--help']);
    const words = out.replaceAll(/\s+/gu, ' ');
    terms += parameters.length + options.length;
    for (const [term, meaning] of [...parameters, ...options]) {
      expect(words).toContain(term.replace(/^[<[]|[>\]]$/gu, ''));
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
