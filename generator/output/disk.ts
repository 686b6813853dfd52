import * as fileSystem from 'node:fs/promises';

/** What the output side asks of a file system; tests hand in one that fails. */
export type Disk = Pick<
  typeof fileSystem,
  | 'lstat'
  | 'mkdir'
  | 'open'
  | 'readdir'
  | 'readFile'
  | 'realpath'
  | 'rename'
  | 'rm'
  | 'rmdir'
  | 'unlink'
>;

/** The file system of this machine. */
export const systemDisk: Disk = fileSystem;
