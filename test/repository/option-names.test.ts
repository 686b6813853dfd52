import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../../generator/cli/commands.ts';
import { ownOptions as clientOptions } from '../../generator/targets/client/connection-code.ts';
import { ownOptions as receiverOptions } from '../../generator/targets/webhooks/receiver-questions.ts';
import { filesOf, root } from './tree-files.ts';

/** Numbers that are neither a time nor a bound nor a number of results. */
const plainNumbers = new Set([
  'attempts',
  'concurrency',
  'factor',
  'jitter',
  'count',
  'seed',
  // A moment
  'clock',
  'port',
  // Places in a list
  'before',
  'after',
  // A number of keys that are kept at least
  'minKeys',
]);

const declaration = /^export interface (\w*(?:Options|Budgets|Filter))\b[^{]*\{\n(.*?)^\}/gmsu;
const numberMember = /readonly (\w+)\??: number\b/gu;

it('an option that is a number has a name of the vocabulary: …Ms, max…, pageSize, or a moment …After', async () => {
  const packages = ['client', 'console', 'inbox', 'signing', 'simulator', 'webhooks'];
  const folders = [...packages.map((name) => `packages/${name}/src`), 'generator/load'];
  const files = folders.flatMap((folder) => filesOf(folder).map((file) => join(folder, file)));
  const names: string[] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    for (const [, type = '', members = ''] of text.matchAll(declaration))
      for (const [, name = ''] of members.matchAll(numberMember)) names.push(`${type}.${name}`);
  }
  expect(names).toContain('ConnectionOptions.attemptTimeoutMs');
  expect(names).toContain('Budgets.maxNodes');
  expect(names).toContain('ReceiverOptions.maxBodyBytes');
  const unconventionalNames = names.filter((name) => {
    const member = name.slice(name.indexOf('.') + 1);
    return (
      !/^(?:\w+Ms|max[A-Z]\w*|pageSize|\w+(?:Before|After))$/u.test(member) &&
      !plainNumbers.has(member)
    );
  });
  expect(unconventionalNames).toEqual([]);
});

it('a flag that is a time has its unit in its name', () => {
  const terms = commands.flatMap(({ options = [] }) => options.map(([term]) => term));
  const times = terms.filter((term) => /timeout|delay|interval|lease|<ms/u.test(term));
  expect(new Set(times)).toEqual(
    new Set(['--timeout-ms <number>', '--attempt-timeout-ms <number>']),
  );
});

it.each([
  ['client/src/options.ts', /^ConnectionOptions$/u, clientOptions],
  ['webhooks/src/options.ts', /^(?:Receiver|Storing)Options$/u, receiverOptions],
  // Generated workers state `store` and `handle` themselves.
  ['inbox/src/worker-options.ts', /^WorkerOptions$/u, receiverOptions],
])('no open question becomes an option of %s', async (file, type, ownOptions) => {
  const text = await readFile(join(root, 'packages', file), 'utf8');
  const names = Array.from(text.matchAll(/^export interface (\w+)[^{]*\{\n(.*?)^\}/gmsu))
    .filter(([, name = '']) => type.test(name))
    .flatMap(([, , members = '']) => Array.from(members.matchAll(/^ {2}readonly (\w+)\??:/gmu)))
    .map(([, name = '']) => name)
    .filter((name) => !['store', 'handle'].includes(name));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !ownOptions.includes(name))).toEqual([]);
});
