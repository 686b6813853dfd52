import {
  closeSync,
  type Dirent,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { systemErrorCode } from '../emit/output-error.ts';

/**
 * The file system operations that writing the output requires. Tests pass an implementation that fails. They are
 * synchronous: a run reads and writes thousands of small files and has no other work meanwhile, and calls through the
 * thread pool take several times as long.
 */
export interface Disk {
  lstat(path: string): Stats;
  mkdir(path: string, options?: { readonly recursive: boolean }): unknown;
  readdir(path: string): readonly Dirent[];
  readFile(path: string): Buffer;
  realpath(path: string): string;
  rename(from: string, to: string): void;
  rm(path: string, options: { readonly recursive?: boolean; readonly force: boolean }): void;
  rmdir(path: string): void;
  unlink(path: string): void;
  /**
   * Writes a new file. Its content survives a kill of the process, but a power failure only with `flush`, which waits
   * until the disk has stored it.
   */
  writeFile(path: string, text: string, options?: { readonly flush: boolean }): void;
  /** Returns when the disk has stored the entries of a folder. Does nothing on systems that cannot sync a folder. */
  syncFolder(path: string): void;
}

/** The file system of this machine. */
export const systemDisk: Disk = {
  lstat: (path) => lstatSync(path),
  mkdir: (path, options) => mkdirSync(path, options),
  readdir: (path) => readdirSync(path, { withFileTypes: true }),
  readFile: (path) => readFileSync(path),
  realpath: (path) => realpathSync(path),
  rename: (from, to) => renameSync(from, to),
  rm: (path, options) => rmSync(path, options),
  rmdir: (path) => rmdirSync(path),
  unlink: (path) => unlinkSync(path),
  writeFile: (path, text, options) => writeFileSync(path, text, { flag: 'wx', ...options }),
  syncFolder(path) {
    try {
      const descriptor = openSync(path, 'r');
      try {
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      if (!unsupported.has(systemErrorCode(error) ?? '')) throw error;
    }
  },
};

const unsupported: ReadonlySet<string> = new Set(['EINVAL', 'EISDIR', 'EPERM', 'EACCES', 'EBADF']);

/** Returns what an operation returns; `undefined` if its file or folder does not exist. */
export function ifPresent<Result>(operation: () => Result): Result | undefined {
  try {
    return operation();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Returns whether an error means that a file or folder does not exist. */
export function isAbsent(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
