import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJsonOption } from '../../../../packages/simulator/src/send/json-option.ts';
import { writeTree } from '../../../output/tree.ts';

const limit = 16 * 1024 * 1024;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-'));
  await writeTree(folder, {
    'delivery.json': ' {"amount": 10000000000000000.01}\n',
    'with a space.txt': '\ufeff{"a":1}',
    broken: '{',
    'folder/.keep': '',
    largest: `"${'x'.repeat(limit - 2)}"`,
    larger: `"${'x'.repeat(limit - 1)}"`,
  });
  await writeFile(join(folder, 'latin-1'), Buffer.from('"\u00e9"', 'latin1'));
});
afterAll(() => rm(folder, { recursive: true }));

const read = (value: string | undefined): Promise<string | undefined> =>
  readJsonOption('--data', value, folder);

test('a text is returned as it is written, and a file is read', async () => {
  expect(await read(undefined)).toBeUndefined();
  expect(await read(' {"fee": 1.10}')).toBe(' {"fee": 1.10}');
  expect(await read('@delivery.json')).toBe(' {"amount": 10000000000000000.01}\n');
  expect(await read(`@${join(folder, 'delivery.json')}`)).toContain('10000000000000000.01');
  expect(await read('@with a space.txt')).toBe('{"a":1}');
  expect(await read('@largest')).toHaveLength(limit);
});

test.each([
  ['@none.json', 'The file of --data cannot be read.'],
  ['@', 'The file of --data cannot be read.'],
  ['@folder', 'The file of --data cannot be read.'],
  ['@a\0b', 'The file of --data cannot be read.'],
  ['@broken', 'The file of --data is not valid JSON.'],
  ['@latin-1', 'The file of --data is not UTF-8.'],
  ['@larger', 'The file of --data has more than 16 MiB.'],
  [
    'delivery.json',
    '--data is not valid JSON. For the content of a file, write --data @delivery.json.',
  ],
  [
    'with a space.txt',
    "--data is not valid JSON. For the content of a file, write --data '@with a space.txt'.",
  ],
  ['folder/none.json', expect.stringContaining('write --data @folder/none.json.')],
  // What names no file can be a secret, and is not repeated.
  ['{"token": "hunter.json', '--data is not valid JSON.'],
  ['hunter', '--data is not valid JSON.'],
  ['folder', '--data is not valid JSON.'],
  ['a\0b', '--data is not valid JSON.'],
  ['x'.repeat(100_000), '--data is not valid JSON.'],
])('%.40s is refused', async (value, message) => {
  await expect(read(value)).rejects.toMatchObject({ code: 'usage', message });
});
