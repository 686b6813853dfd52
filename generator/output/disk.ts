import fs, { type Dirent, type Stats } from 'node:fs';
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
  lstat: (path) => fs.lstatSync(path),
  mkdir: (path, options) => fs.mkdirSync(path, options),
  readdir: (path) => fs.readdirSync(path, { withFileTypes: true }),
  readFile: (path) => fs.readFileSync(path),
  realpath: (path) => fs.realpathSync(path),
  rename: (from, to) => fs.renameSync(from, to),
  rm: (path, options) => fs.rmSync(path, options),
  rmdir: (path) => fs.rmdirSync(path),
  unlink: (path) => fs.unlinkSync(path),
  writeFile: (path, text, options) => fs.writeFileSync(path, text, { flag: 'wx', ...options }),
  syncFolder(path) {
    try {
      const descriptor = fs.openSync(path, 'r');
      try {
        fs.fsyncSync(descriptor);
      } finally {
        fs.closeSync(descriptor);
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
