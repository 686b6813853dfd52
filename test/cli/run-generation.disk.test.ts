import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readTree } from '../output/tree.ts';
import { createProject, openapi, script } from './project.ts';

/** A name space of one's own may mount a disk, where the system lets users have one. */
const ownDisks = ['-Urm', 'sh', '-euc'];
const canMount =
  spawnSync('unshare', [...ownDisks, 'mount -t tmpfs -o size=64k tmpfs /mnt'], { stdio: 'ignore' })
    .status === 0;

const books = `import { titles } from './titles.mjs';
export default {
  contract: { openapi: 'openapi.yaml' },
  scope: '@books',
  output: 'disk/generated',
  targets: [titles],
};
`;
const grown = openapi.replace(
  'title: { type: string }',
  'title: { type: string }\n        isbn: { type: string }',
);

/**
 * Generates onto a small disk, changes the contract, does something to the disk, and generates again; then undoes it
 * and generates once more. The tree of each time is kept beside the disk, with what was said and the exit code.
 */
const story = (harm: string, repair: string): string => `
generate() {
  set +e
  "$NODE" "$SCRIPT" generate --quiet --config books.mjs > "$1.out" 2> "$1.error"
  echo $? > "$1.code"
  set -e
  cp -R disk/generated "$1"
}
mkdir disk
mount -t tmpfs -o size=1m tmpfs disk
generate first
mv grown.yaml openapi.yaml
${harm}
generate harmed
${repair}
generate repaired
`;

describe.skipIf(!canMount)('countersign generate onto a real disk', () => {
  it.each([
    [
      'that is full',
      'dd if=/dev/zero of=disk/filler bs=1k count=2000 2> /dev/null || true',
      'rm disk/filler',
      'there is no space left on the disk',
    ],
    [
      'that is read only',
      'mount -o remount,bind,ro disk',
      'mount -o remount,bind,rw disk',
      'the system refuses to write there (EROFS)',
    ],
  ])('%s says so, keeps the old tree, and ends with 1', async (_, harm, repair, words) => {
    const { folder } = await createProject({ 'books.mjs': books, 'grown.yaml': grown });
    await writeFile(join(folder, 'story.sh'), story(harm, repair));
    const run = spawnSync('unshare', [...ownDisks, '. ./story.sh'], {
      cwd: folder,
      env: { ...process.env, NODE: process.execPath, SCRIPT: script },
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);

    const all = await readTree(folder);
    const said = (name: string): readonly (string | undefined)[] => [
      all[`${name}.code`],
      all[`${name}.error`],
    ];
    const treeOf = (name: string): Readonly<Record<string, string>> =>
      Object.fromEntries(Object.entries(all).filter(([path]) => path.startsWith(`${name}/`)));
    const [first, harmed, repaired] = ['first', 'harmed', 'repaired'].map((name) =>
      JSON.stringify(Object.values(treeOf(name))),
    );
    expect(said('first')).toEqual(['0\n', '']);
    expect(said('harmed')).toEqual(['1\n', expect.stringContaining(words)]);
    expect(harmed).toBe(first);
    expect(said('repaired')).toEqual(['0\n', '']);
    expect(repaired).not.toBe(first);
    expect(repaired).toContain('isbn');
  });
});
