import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { foldersOf, misplacedTests } from './mirror.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = foldersOf(await readFile(`${root}CONTRIBUTING.md`, 'utf8'));

/** Every file of a folder, relative to it, without what is installed or built. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(`${root}${folder}`, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(`${root}${folder}/`.length))
    .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//u.test(path));
}

test('every test file of a mirrored folder is named after a source file', async () => {
  const tests = (await filesOf('test')).filter((file) => file.endsWith('.test.ts'));
  const sources = await Promise.all(
    ['generator', 'packages', 'bench'].map(async (folder) =>
      (await filesOf(folder)).map((file) => `${folder}/${file}`),
    ),
  );
  expect(misplacedTests(tests, sources.flat(), folders)).toEqual([]);
});

test('the table of CONTRIBUTING has exactly the folders that mirror nothing', async () => {
  const rooms = await readdir(`${root}generator`);
  const mirrored = new Set([...rooms, 'packages', 'bench']);
  const others = (await filesOf('test'))
    .filter((file) => file.includes('/'))
    .map((file) => file.replace(/\/.*$/u, ''))
    .filter((folder) => !mirrored.has(folder));
  expect(folders.toSorted()).toEqual([...new Set(others)].toSorted());
});

test.each([
  ['schema/visit.test.ts', true],
  ['schema/visit.hostile.all.test.ts', true],
  ['bin/countersign.test.ts', true],
  ['packages/client/json.test.ts', true],
  ['corpus/anything.test.ts', true],
  ['schema/visitor.test.ts', false],
  ['visit.test.ts', false],
  ['client/json.test.ts', false],
  ['packages/client/src/json.test.ts', false],
  ['corpus-of-others/anything.test.ts', false],
])('the place of %s is right: %s', (file, right) => {
  const sources = [
    'generator/schema/visit.ts',
    'generator/bin/countersign.cjs',
    'packages/client/src/json.ts',
  ];
  expect(misplacedTests([file], sources, ['corpus'])).toEqual(right ? [] : [file]);
});
