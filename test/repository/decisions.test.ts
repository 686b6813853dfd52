import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);
const records = (await readdir(folder)).filter((file) => /^\d/u.test(file)).toSorted();

test('decisions are numbered without gaps, in their files, titles and the list', async () => {
  expect(records).not.toEqual([]);
  for (const [index, file] of records.entries()) {
    const number = String(index + 1).padStart(4, '0');
    expect(file.slice(0, 5)).toBe(`${number}-`);
    expect(await readFile(new URL(file, folder), 'utf8')).toMatch(new RegExp(`^# ${number}: \\S`));
  }
  const list = await readFile(new URL('README.md', folder), 'utf8');
  const listed = [...list.matchAll(/^\| \[\d+\]\((?<file>[^)]+)\)/gmu)];
  expect(listed.map(({ groups }) => groups?.['file'])).toEqual(records);
});
