import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');

const patterns = ['packages/*/src/**/*.ts', 'packages/runtime/[!d]*/**/*.ts'];

/** A default that is the global function of the moment at which an object is created. */
const captured =
  /(?:[=:]|\?\?|\?) (?:globalThis\.)?(?:Date\.now|Math\.random|fetch)\b(?![(\w`]|\)\()/gu;

test('runtimes look up time, chance and fetch at each use, so that tests can replace them afterwards', async () => {
  const places: string[] = [];
  for (const path of globSync(patterns, { cwd: repository })) {
    const text = await readFile(join(repository, path), 'utf8');
    const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gmu, '');
    for (const [expression] of code.matchAll(captured)) places.push(`${path}: ${expression}`);
  }
  expect(places).toEqual([]);
});

test.each(['clock = Date.now,', 'a ?? globalThis.fetch;', 'b ? () => 1 : Date.now;'])(
  'the search finds %s',
  (code) => {
    expect(code.match(captured)).toHaveLength(1);
  },
);
