import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../..');

test('changesets write a changelog for each published package, and raise them to one version', async () => {
  const folder = await temporaryFolder();
  const patterns = ['{generator,templates}/package.json', '{packages,generated}/*/package.json'];
  const workspaces = globSync(patterns, { cwd: repository });
  const published = workspaces.filter((path) => !path.startsWith('generated/'));
  for (const path of ['package.json', 'package-lock.json', '.changeset', ...workspaces])
    await cp(join(repository, path), join(folder, path), { recursive: true });
  // A commit without changesets, such as that of a release, has to pass too.
  await writeFile(
    join(folder, '.changeset/test.md'),
    "---\n'@countersign/runtime': minor\n---\n\nA change of one package.\n",
  );
  const git = async (...words: readonly string[]): Promise<unknown> =>
    await run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...words], {
      cwd: folder,
    });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Before the release');

  const changeset = join(repository, 'node_modules/@changesets/cli/bin.js');
  await run(process.execPath, [changeset, 'version'], { cwd: folder });

  expect(published).not.toEqual([]);
  const versions = await Promise.all(
    published.map(async (path) => {
      const { name, version } = JSON.parse(await readFile(join(folder, path), 'utf8'));
      const changelog = await readFile(join(folder, dirname(path), 'CHANGELOG.md'), 'utf8');
      expect(changelog.split('\n').slice(0, 3)).toEqual([`# ${name}`, '', `## ${version}`]);
      return version;
    }),
  );
  expect(new Set(versions).size).toBe(1);
  const changelogs = globSync('**/CHANGELOG.md', { cwd: folder });
  expect(changelogs.map(dirname).toSorted()).toEqual(published.map(dirname).toSorted());
});
