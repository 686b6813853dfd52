import { dirname, isAbsolute, relative, sep } from 'node:path';

/** Returns the deepest folder that contains all of these files. The references of a contract must not leave it. */
export function commonFolder(paths: readonly string[]): string {
  const [first = '', ...otherFolders] = paths.map((path) => dirname(path));
  let common = first;
  while (!otherFolders.every((folder) => isInFolder(common, folder))) common = dirname(common);
  return common;
}

/** Returns a path as diagnostics show it: relative to the configuration's folder, with `/` on every system. */
export function toFile(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

/** Returns whether a path is a folder or in it. Both are absolute. */
export function isInFolder(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
