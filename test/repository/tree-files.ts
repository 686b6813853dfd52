import { globSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this repository, with a slash at its end. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/** Returns every file of a folder, relative to it, without what is installed, built or hidden. */
export function filesOf(folder: string): readonly string[] {
  const cwd = join(root, folder);
  const exclude = ({ name }: { readonly name: string }): boolean =>
    name === 'node_modules' || name === 'dist' || name.startsWith('.');
  return globSync('**', { cwd, withFileTypes: true, exclude })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(cwd, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}
