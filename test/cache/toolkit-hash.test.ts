import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
