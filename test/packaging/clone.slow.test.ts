import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { repository, runNpm } from './project.ts';

const execute = promisify(execFile);

interface Manifest {
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** What git has of this repository, in a folder of its own: nothing that is built, nothing that is ignored. */
async function cloneRepository(): Promise<string> {
  const folder = await temporaryFolder();
  const { stdout } = await execute('git', ['ls-files', '-z'], { cwd: repository });
  for (const path of stdout.split('\0').slice(0, -1))
    await cp(join(repository, path), join(folder, path));
  return folder;
}

/** Links what is installed here, all of it at the top. The workspaces lead to those of the clone. */
async function linkModules(folder: string): Promise<void> {
  const workspaces = new Set(['countersign', '@countersign', '@instant-payment']);
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(join(repository, 'node_modules'))) {
    const [from, to] = [join(repository, 'node_modules', name), join(folder, 'node_modules', name)];
    if (workspaces.has(name)) await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith('.')) await symlink(from, to, 'junction');
  }
}

it('npm links the command in a fresh clone, and it runs from source', async () => {
  const folder = await cloneRepository();
  await linkModules(folder);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const modules = await readdir(join(folder, 'node_modules'));
  const nodes = Object.keys(manifest.optionalDependencies).filter((name) => modules.includes(name));

  // The part of `npm ci` that links commands.
  await runNpm(['rebuild', '--ignore-scripts', 'countersign', ...nodes], folder);

  expect(await readdir(join(folder, 'generator'))).not.toContain('dist');
  const npx = (...words: readonly string[]): Promise<string> =>
    runNpm(['exec', '--no', '--', ...words], folder);
  expect(await npx('countersign', '--version')).toBe('0.1.0\n');
  expect(await npx('countersign', 'check')).toBe('generated: up to date\n');
});
