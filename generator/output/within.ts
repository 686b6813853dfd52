import { dirname } from 'node:path';
import { OutputError } from '../emit/output-error.ts';
import { isInFolder } from '../load/file-paths.ts';
import { type Disk, ifPresent, systemDisk } from './disk.ts';

/**
 * Asserts that a path is in a folder after symbolic links are resolved. Neither has to exist.
 * @throws OutputError `escaping-path`
 */
export function assertWithin(path: string, folder: string, disk: Disk = systemDisk): void {
  const actual = realpathOfNearest(path, disk);
  if (isInFolder(realpathOfNearest(folder, disk), actual)) return;
  throw new OutputError(
    'escaping-path',
    `Nothing was written: ${path} leads to ${actual} through a symbolic link, which is outside of ${folder}. Remove the link.`,
  );
}

/**
 * Asserts that a path which a user has named does not leave a folder through a symbolic link. The path may be outside of
 * the folder by its text: then the user means that.
 * @throws OutputError `escaping-path`
 */
export function assertNotLinkedOut(path: string, folder: string): void {
  if (isInFolder(folder, path)) assertWithin(path, folder);
}

/** Returns the real path of a path, or of its nearest parent that exists. */
function realpathOfNearest(path: string, disk: Disk): string {
  const actual = ifPresent(() => disk.realpath(path));
  if (actual !== undefined) return actual;
  return dirname(path) === path ? disk.realpath(path) : realpathOfNearest(dirname(path), disk);
}
