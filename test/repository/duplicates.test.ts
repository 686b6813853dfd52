import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { filesOf, root } from './tree-files.ts';

test('no two files of test/ have the same bytes', async () => {
  const files = filesOf('test');
  const texts = await Promise.all(files.map((file) => readFile(`${root}test/${file}`, 'latin1')));
  const groups = Map.groupBy(files, (_, index) => texts[index]);
  expect([...groups.values()].filter((group) => group.length > 1)).toEqual([]);
});
