import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { filesOf, root } from './tree-files.ts';

/** Returns the lists of files in a folder that have the same bytes. */
async function duplicatesIn(
  folder: string,
  files: readonly string[],
): Promise<readonly string[][]> {
  const texts = await Promise.all(
    files.map((file) => readFile(`${root}${folder}/${file}`, 'latin1')),
  );
  const groups = Map.groupBy(files, (_, index) => texts[index]);
  return [...groups.values()].filter((group) => group.length > 1);
}

test('no two files of test/ have the same bytes', async () => {
  expect(await duplicatesIn('test', filesOf('test'))).toEqual([]);
});

/** Packages import nothing of each other, so what several need is a small file that each has a copy of. */
const copies: Readonly<Record<string, readonly string[]>> = {
  'describe-failure.ts': ['client', 'inbox', 'simulator', 'webhooks'],
  'exact-number.ts': ['client', 'signing', 'webhooks'],
  'failure-warnings.ts': ['client', 'inbox', 'simulator', 'webhooks'],
  'growing-bytes.ts': ['client', 'simulator', 'webhooks'],
  'public-url.ts': ['simulator', 'webhooks'],
  'secret-fault.ts': ['client', 'signing', 'webhooks'],
};

test('packages have equal copies of exactly these files', async () => {
  const sources = filesOf('packages').filter((file) => /^[^/]+\/src\/.*\.ts$/u.test(file));
  const groups = await duplicatesIn('packages', sources);
  const copyLines = groups.map((group) => group.toSorted().join(' '));
  const expected = Object.entries(copies).map(([name, packages]) =>
    packages.map((packageName) => `${packageName}/src/${name}`).join(' '),
  );
  expect(copyLines.toSorted()).toEqual(expected.toSorted());
});
