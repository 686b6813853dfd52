import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type * as FileSystem from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hashOf, toLock, type PulledDocument } from '../../../packages/pull/src/pull-documents.ts';
import { lockName, parseLock, type PullLock } from '../../../packages/pull/src/pull-lock.ts';
import { writeDocuments } from '../../../packages/pull/src/write-documents.ts';

/** The number of renames until one fails. */
let renamesLeft = Infinity;

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof FileSystem>();
  return {
    ...original,
    async rename(from: string, to: string): Promise<void> {
      if (renamesLeft-- === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      await original.rename(from, to);
    },
  };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-write-'));
});
afterEach(async () => {
  renamesLeft = Infinity;
  await rm(folder, { recursive: true });
});

const entries = [new URL('https://api.example.com/api.yaml')];
const documents = (version: string, ...files: readonly string[]): readonly PulledDocument[] =>
  files.map((file) => {
    const content = Buffer.from(`file: ${file}\nversion: ${version}\n`);
    const address = new URL(`https://api.example.com/${file}`);
    return { address, file, sha256: hashOf(content), content };
  });
const lockOf = (pulled: readonly PulledDocument[], previous?: PullLock): PullLock =>
  toLock(entries, pulled, previous, new Date(0));

async function tree(): Promise<Readonly<Record<string, string>>> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')]),
    ),
  ) as Readonly<Record<string, string>>;
}

test.each([
  ['a document that changed', 'api.yaml'],
  ['a document that is not pulled any more', 'a/b.yaml'],
  ['the lock file', lockName],
])('nothing is written if %s is read-only', async (_, file) => {
  const first = documents('1', 'api.yaml', 'a/b.yaml');
  const lock = lockOf(first);
  await writeDocuments(folder, first, lock, undefined);
  const before = await tree();
  await chmod(join(folder, file), 0o444);
  const second = documents('2', 'api.yaml', 'c.yaml');
  const next = lockOf(second, lock);
  await expect(writeDocuments(folder, second, next, lock)).rejects.toThrow(`${file} is read-only`);
  expect(await tree()).toEqual(before);
  await chmod(join(folder, file), 0o644);
  await writeDocuments(folder, second, next, lock);
  expect(Object.keys(await tree()).toSorted()).toEqual(['api.yaml', 'c.yaml', lockName]);
});

test('every failing move leaves all files as they were', async () => {
  const first = documents('1', 'api.yaml', 'a/b.yaml', 'a/c.yaml');
  const lock = lockOf(first);
  await writeDocuments(folder, first, lock, undefined);
  const before = await tree();
  expect(Object.keys(before)).toHaveLength(4);
  const second = documents('2', 'api.yaml', 'a/b.yaml', 'd/e/f.yaml');
  // One file is removed, three are replaced, and one is new: eight moves.
  let failures = 0;
  for (let count = 0; count < 8; count++) {
    renamesLeft = count;
    await expect(writeDocuments(folder, second, lockOf(second, lock), lock)).rejects.toThrow(
      'no space',
    );
    failures++;
    renamesLeft = Infinity;
    expect(await tree()).toEqual(before);
    expect((await readdir(folder)).toSorted()).toEqual(['a', 'api.yaml', lockName]);
  }
  expect(failures).toBe(8);
  renamesLeft = 8;
  await writeDocuments(folder, second, lockOf(second, lock), lock);
  expect(Object.keys(await tree()).toSorted()).toEqual(
    ['a/b.yaml', 'api.yaml', 'd/e/f.yaml', lockName].toSorted(),
  );
});

test('a run after one that was killed before the lock file was written completes it', async () => {
  const first = documents('1', 'api.yaml', 'b.yaml');
  const lock = lockOf(first);
  await writeDocuments(folder, first, lock, undefined);
  const second = documents('2', 'api.yaml', 'b.yaml');
  await writeDocuments(folder, second.slice(0, 1), lockOf(first), {
    ...lock,
    documents: lock.documents.filter(({ file }) => file === 'api.yaml'),
  });
  const changes = await writeDocuments(folder, second, lockOf(second, lock), lock);
  expect(changes.map(({ file, change }) => [file, change])).toEqual([
    ['api.yaml', 'unchanged'],
    ['b.yaml', 'updated'],
  ]);
});

test('a document keeps its date until its bytes change', () => {
  const first = documents('1', 'api.yaml', 'b.yaml');
  const lock = lockOf(first);
  const second = [...first.slice(0, 1), ...documents('2', 'b.yaml')];
  const { documents: after } = toLock(entries, second, lock, new Date(1000));
  expect(after.map(({ date }) => new Date(date).getTime())).toEqual([0, 1000]);
});

test.each([
  '{',
  '[]',
  '{"version":2}',
  '{"version":1,"entries":[],"documents":{}}',
  '{"version":1,"entries":["file:///etc/passwd"],"documents":[]}',
  ...['../x', '/x', 'a/../../x', 'a//x', '.git/config', 'a\\x', 'C:x', ''].map((file) =>
    JSON.stringify({
      version: 1,
      entries: [],
      documents: [
        { url: 'https://x.example', file, sha256: '0'.repeat(64), date: '2026-01-01T00:00:00Z' },
      ],
    }),
  ),
])('a lock file that `pull` does not write is refused: %s', (text) => {
  expect(() => parseLock(text)).toThrow('is not a lock file of `pull`');
});
