import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type * as toolkitHash from '../../generator/cache/toolkit-hash.ts';

const repository = join(import.meta.dirname, '../..');

/** Copies the files that compute the hash of the toolkit, with their neighbours. */
async function copyToolkit(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-toolkit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['cache', 'execution', 'json', 'package.json', 'tools/lint'])
    await cp(join(repository, 'generator', name), join(folder, name), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Returns the hash of the files of a toolkit as they are now. */
async function hashOf(folder: string): Promise<string> {
  const module: unknown = await import(join(folder, 'cache/toolkit-hash.ts'));
  return (module as typeof toolkitHash).hashToolkitFiles();
}

test.each([
  ['ignores the result of a build', ['schemas/openapi.json', 'dist/cache/kept.js'], true],
  ['changes with a module of the code', ['tools/lint/schemas/another.ts'], false],
  ['changes with a file that the code reads', ['cache/words.json'], false],
])('the hash %s', async (_, files, isSame) => {
  const folder = await copyToolkit();
  const before = await hashOf(folder);
  for (const file of files) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), '{}');
  }
  const after = await hashOf(folder);
  expect(after === before).toBe(isSame);
});

describe('a hash that was kept', () => {
  /** Returns how the toolkit in a folder is hashed by a process that starts now, with a folder of caches. */
  async function start(folder: string, cache: string): Promise<typeof toolkitHash> {
    const path = `${join(folder, 'cache/toolkit-hash.ts')}?${(starts += 1)}`;
    const module = (await import(path)) as typeof toolkitHash;
    module.hashToolkit(cache);
    return module;
  }

  let starts = 0;

  /** Creates a toolkit, and a folder of caches that has its hash as kept, with another text in its place. */
  async function keep(): Promise<Record<'folder' | 'cache', string>> {
    const folder = await copyToolkit();
    const cache = await mkdtemp(join(tmpdir(), 'countersign-caches-'));
    onTestFinished(() => rm(cache, { recursive: true }));
    const { toolkitHashToKeep, toolkitHashPath } = await start(folder, cache);
    const kept = JSON.parse(toolkitHashToKeep() ?? '');
    await writeFile(toolkitHashPath(cache), JSON.stringify({ ...kept, hash: 'kept' }));
    return { folder, cache };
  }

  test('is used while no file has changed', async () => {
    const { folder, cache } = await keep();
    expect((await start(folder, cache)).hashToolkit()).toBe('kept');
  });

  test('is not used after an edit of the same size that leaves the time of the file', async () => {
    const { folder, cache } = await keep();
    const path = join(folder, 'cache/kept.ts');
    const { atime, mtime } = await stat(path);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('sha', 'SHA').replace('import', 'IMPORT'));
    await utimes(path, atime, mtime);
    expect((await start(folder, cache)).hashToolkit()).toBe(await hashOf(folder));
  });

  test.each(['', '{', 'null', '[]', '{"state":1}'])('is not used if it is %o', async (text) => {
    const { folder, cache } = await keep();
    const { toolkitHashPath } = await start(folder, cache);
    await writeFile(toolkitHashPath(cache), text);
    expect((await start(folder, cache)).hashToolkit()).toBe(await hashOf(folder));
  });
});
