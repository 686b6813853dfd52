import {
  closeSync,
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
  unlinkSync,
  writeFileSync,
  type Dirent,
  type Stats,
} from 'node:fs';

/** The file system operations that writing the output requires. Tests pass an implementation that fails. */
export interface Disk {
  lstat(path: string): Promise<Stats>;
  mkdir(path: string, options?: { readonly recursive: boolean }): Promise<unknown>;
  open(path: string, flags: string): Promise<OpenFile>;
  readdir(path: string): Promise<readonly Dirent[]>;
  readFile(path: string): Promise<Buffer>;
  realpath(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  rm(
    path: string,
    options: { readonly recursive?: boolean; readonly force: boolean },
  ): Promise<void>;
  rmdir(path: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** An open file or folder. */
export interface OpenFile {
  writeFile(text: string): Promise<void>;
  /** Resolves when the disk has stored what was written. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The file system of this machine, called synchronously. A run reads and writes thousands of small files and has no
 * other work meanwhile. Synchronous calls take a fraction of the time of calls through the thread pool.
 */
export const systemDisk: Disk = {
  lstat: async (path) => lstatSync(path),
  mkdir: async (path, options) => mkdirSync(path, options),
  async open(path, flags) {
    const descriptor = openSync(path, flags);
    return {
      writeFile: async (text) => writeFileSync(descriptor, text),
      sync: async () => fsyncSync(descriptor),
      close: async () => closeSync(descriptor),
    };
  },
  readdir: async (path) => readdirSync(path, { withFileTypes: true }),
  readFile: async (path) => readFileSync(path),
  realpath: async (path) => realpathSync(path),
  rename: async (from, to) => renameSync(from, to),
  rm: async (path, options) => rmSync(path, options),
  rmdir: async (path) => rmdirSync(path),
  unlink: async (path) => unlinkSync(path),
};
