import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { repository } from './project.ts';

const execute = promisify(execFile);

/**
 * Copies what git has of this repository, without what is built or ignored.
 * @param isKept whether a path, relative to the repository, is copied
 */
export async function cloneRepository(
  isKept: (path: string) => boolean = () => true,
): Promise<string> {
  const folder = await temporaryFolder();
  const { stdout } = await execute('git', ['ls-files', '-z'], { cwd: repository });
  for (const path of stdout.split('\0').slice(0, -1).filter(isKept))
    await cp(join(repository, path), join(folder, path));
  return folder;
}

/** Links what is installed here, all of it at the top. The workspaces lead to those of the clone. */
export async function linkModules(folder: string): Promise<void> {
  const workspaces = new Set(['countersign', '@countersign', '@instant-payment']);
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(join(repository, 'node_modules'))) {
    const [from, to] = [join(repository, 'node_modules', name), join(folder, 'node_modules', name)];
    if (workspaces.has(name)) await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith('.')) await symlink(from, to, 'junction');
  }
}
