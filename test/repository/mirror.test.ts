import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { foldersOf, misplacedTests } from './mirror.ts';
import { filesOf, root } from './tree-files.ts';

const folders = foldersOf(await readFile(`${root}CONTRIBUTING.md`, 'utf8'));

test('every test file is in a folder of the table, or in one that the sources have too', () => {
  const tests = filesOf('test').filter((file) => file.endsWith('.test.ts'));
  const sources = ['generator', 'packages', 'bench'].flatMap((folder) =>
    filesOf(folder).map((file) => `${folder}/${file}`),
  );
  expect(misplacedTests(tests, sources, folders)).toEqual([]);
});

test('the table of CONTRIBUTING has exactly the folders that mirror nothing', async () => {
  const rooms = await readdir(`${root}generator`);
  const mirrored = new Set([...rooms, 'packages', 'bench']);
  const otherFolders = filesOf('test')
    .filter((file) => file.includes('/'))
    .map((file) => file.replace(/\/.*$/u, ''))
    .filter((folder) => !mirrored.has(folder));
  expect(folders.toSorted()).toEqual([...new Set(otherFolders)].toSorted());
});

test.each([
  ['schema/visit.test.ts', true],
  ['schema/visit.hostile.all.test.ts', true],
  ['bin/countersign.test.ts', true],
  ['packages/runtime/client/json.test.ts', true],
  ['corpus/anything.test.ts', true],
  ['schema/visitor.test.ts', true],
  ['schemas/visit.test.ts', false],
  ['visit.test.ts', false],
  ['client/json.test.ts', false],
  ['packages/runtime/client/src/json.test.ts', false],
  ['corpus-of-others/anything.test.ts', false],
])('the place of %s is right: %s', (file, right) => {
  const sources = [
    'generator/schema/visit.ts',
    'generator/bin/countersign.cjs',
    'packages/runtime/client/json.ts',
  ];
  expect(misplacedTests([file], sources, ['corpus'])).toEqual(right ? [] : [file]);
});
