import { execFileSync } from 'node:child_process';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFormatter } from '../../generator/cache/formatted.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';

const unformatted = { 'a.ts': 'export  const a = 1', 'b.md': '#  B', LICENSE: 'As  is.' };
const formatted = { 'a.ts': 'export const a = 1;\n', 'b.md': '# B\n', LICENSE: 'As  is.' };

/** A run: formats texts and writes them into a folder, unless it only looks; answers with the paths that were formatted. */
async function run(
  folder: string,
  cache: string | undefined,
  texts: Readonly<Record<string, string>> = unformatted,
): Promise<{
  readonly paths: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}> {
  const paths: string[] = [];
  const formatter = await createFormatter(folder, cache, async (path, text) => {
    paths.push(path);
    return `${text.replaceAll(/ +/gu, ' ')}${path.endsWith('.ts') ? ';' : ''}\n`;
  });
  const files: Record<string, string> = {};
  for (const [path, text] of Object.entries(texts))
    files[path] = await formatter.format(path, text);
  await formatter.keep();
  return { paths, files };
}

/** What a run has left, as the next one finds it. */
async function afterRun(): Promise<{ readonly folder: string; readonly cache: string }> {
  const folder = await temporaryFolder();
  const cache = join(folder, 'cache/formatted.json');
  const { paths, files } = await run(join(folder, 'first'), cache);
  expect(paths).toEqual(['a.ts', 'b.md']);
  expect(files).toEqual(formatted);
  await writeTree(join(folder, 'first'), formatted);
  await rename(join(folder, 'first'), join(folder, 'second'));
  return { folder: join(folder, 'second'), cache };
}

describe('what was formatted before', () => {
  test('is not formatted again', async () => {
    const { folder, cache } = await afterRun();
    expect(await run(folder, cache)).toEqual({ paths: [], files: formatted });
  });

  test('is where nothing is kept, and where its text is another', async () => {
    const { folder, cache } = await afterRun();
    const { paths, files } = await run(folder, cache, { ...unformatted, 'b.md': '#  C' });
    expect(paths).toEqual(['b.md']);
    expect(files).toEqual({ ...formatted, 'b.md': '# C\n' });
    expect(await run(folder, undefined)).toMatchObject({ paths: ['a.ts', 'b.md'] });
  });

  test('is known with the line ends of a checkout', async () => {
    const { folder, cache } = await afterRun();
    await writeFile(join(folder, 'a.ts'), 'export const a = 1;\r\n');
    expect(await run(folder, cache)).toEqual({ paths: [], files: formatted });
  });

  test.for<readonly [string, (path: string) => Promise<unknown>]>([
    ['was edited', (path) => writeFile(path, 'export const a = 2;\n')],
    ['is gone', (path) => rm(path)],
    ['is a folder', (path) => rm(path).then(() => writeTree(path, { 'a.ts': '' }))],
    [
      'is a link to the same text',
      (path) => rename(path, `${path}.txt`).then(() => symlink(`${path}.txt`, path)),
    ],
    [
      'is a pipe without a writer',
      async (path) => {
        await rm(path);
        execFileSync('mkfifo', [path]);
      },
    ],
  ])('is formatted again where it %s', async ([, damage]) => {
    const { folder, cache } = await afterRun();
    await damage(join(folder, 'a.ts'));
    expect(await run(folder, cache)).toEqual({ paths: ['a.ts'], files: formatted });
  });

  test.for<readonly [string, (kept: string) => string]>([
    ['is cut off', (kept) => kept.slice(0, -20)],
    ['is empty', () => ''],
    ['is something else', () => '[1, null]'],
    ['is of another toolkit', (kept) => `x${kept}`],
    ['has no hashes', (kept) => kept.replaceAll(/,"[^"]{43}"/gu, ',[]')],
  ])('is formatted again where what was kept %s', async ([, damage]) => {
    const { folder, cache } = await afterRun();
    const kept = await readFile(cache, 'utf8');
    expect(damage(kept)).not.toBe(kept);
    await writeFile(cache, damage(kept));
    expect(await run(folder, cache)).toEqual({ paths: ['a.ts', 'b.md'], files: formatted });
  });
});
