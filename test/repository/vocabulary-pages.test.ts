import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { vocabulary } from '../../generator/contract/vocabulary/vocabulary.ts';

const folder = new URL('../../docs/vocabulary/', import.meta.url);
const keys = Object.keys(vocabulary).toSorted();

test('every key of the vocabulary has a page, and every page is about a key', async () => {
  const pages = (await readdir(folder)).filter((name) => name !== 'README.md').toSorted();
  expect(pages, 'see "Changing the toolkit" in CONTRIBUTING.md').toEqual(
    keys.map((key) => `${key}.md`).toSorted(),
  );
});

test('the index of the pages has every key once', async () => {
  const text = await readFile(new URL('README.md', folder), 'utf8');
  const linked = [...text.matchAll(/^\| \[`(?<key>x-[a-z-]+)`\]\(\k<key>\.md\)/gmu)];
  expect(
    linked.map(({ groups }) => groups?.['key'] ?? '').toSorted((a, b) => (a < b ? -1 : 1)),
  ).toEqual(keys);
});
