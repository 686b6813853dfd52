import { spawnSync } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { repository } from './project.ts';

const patterns = ['{generator,templates}/package.json', 'packages/*/package.json'];
const manifests = new Map<string, Readonly<Record<string, unknown>>>();
for await (const path of glob(patterns, { cwd: repository })) {
  const manifest = JSON.parse(await readFile(join(repository, path), 'utf8')) as object;
  manifests.set(path, { ...manifest });
}

/** Runs the check on copies of the manifests, with an empty `repository` where `change` adds none. */
async function check(
  change: (path: string) => object,
  registry?: string,
): Promise<{ readonly code: number | null; readonly error: string }> {
  const folder = await temporaryFolder();
  const files = Array.from(manifests, ([path, manifest]) => {
    const { repository: _, ...members } = manifest;
    return [path, JSON.stringify({ ...members, ...change(path) })] as const;
  });
  await writeTree(folder, Object.fromEntries(files));
  const { npm_config_registry: _, ...environment } = process.env;
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'assert-publishable.ts'), folder],
    {
      encoding: 'utf8',
      env: { ...environment, ...(registry === undefined ? {} : { npm_config_registry: registry }) },
    },
  );
  return { code: status, error: stderr };
}

const url = 'git+https://git.example/toolkit.git';
const withAll = (path: string): object => ({
  repository: { type: 'git', url, directory: dirname(path) },
});

test.each<[string, (path: string) => object, string | undefined]>([
  ['every package states its repository', withAll, undefined],
  ['it is a text', () => ({ repository: url }), undefined],
  ['the registry is on this machine', () => ({}), 'http://127.0.0.1:4873/'],
])('a release is published if %s', async (_, change, registry) => {
  expect(await check(change, registry)).toEqual({ code: 0, error: '' });
});

test.each<[string, (path: string) => object, string | undefined, string]>([
  ['no package states its repository', () => ({}), undefined, 'countersign, @countersign/'],
  [
    'one does not',
    (path) => (path === 'packages/runtime/package.json' ? {} : withAll(path)),
    'https://registry.npmjs.org/',
    'Nothing is published: @countersign/runtime state',
  ],
  ['its URL is empty', () => ({ repository: { url: '' } }), undefined, '@countersign/runtime'],
  [
    'the registry only looks local',
    () => ({}),
    'https://localhost.registry.example/',
    '@countersign/runtime',
  ],
])('nothing is published if %s', async (_, change, registry, text) => {
  const { code, error } = await check(change, registry);
  expect(code).toBe(1);
  expect(error).toContain(text);
});

test('the packages state what is certain, and name no address or person that does not exist', () => {
  expect(manifests.size).toBe(5);
  for (const [path, manifest] of manifests) {
    expect(manifest, path).toMatchObject({ license: 'MIT', keywords: expect.anything() });
    // Once there is a public address, all of them state it, each with its folder.
    const { repository: stated } = manifest;
    if (stated !== undefined) expect(stated, path).toMatchObject({ directory: dirname(path) });
    for (const member of ['author', 'contributors', 'homepage', 'bugs', 'funding'])
      if (stated === undefined) expect(manifest, path).not.toHaveProperty(member);
  }
});
