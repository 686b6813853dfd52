import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../targets/emit-project.ts';

/** Links what is installed here, the command of the toolkit too, and the packages that a project has generated, as npm would install them there. */
export async function linkPackages(folder: string, scope: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, scope), { recursive: true });
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (name.startsWith('.')) continue;
    await symlink(join(repository, 'node_modules', name), join(modules, name), 'junction');
  }
  await mkdir(join(modules, '.bin'));
  await symlink(
    join(repository, 'generator/bin/countersign.cjs'),
    join(modules, '.bin/countersign'),
  );
  for (const name of await readdir(join(folder, 'generated'))) {
    await symlink(join(folder, 'generated', name), join(modules, scope, name), 'junction');
  }
}
