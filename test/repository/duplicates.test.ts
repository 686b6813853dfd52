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

test.each(['packages', 'test'])('no two files of %s/ have the same bytes', async (folder) => {
  const files = filesOf(folder).filter(
    (file) => !/\/(?:LICENSE|CHANGELOG\.md|tsconfig\.json)$/u.test(file),
  );
  expect(await duplicatesIn(folder, files)).toEqual([]);
});
