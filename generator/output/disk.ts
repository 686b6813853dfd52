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

/** What the output side asks of a file system; tests hand in one that fails. */
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

/** A file or folder that is open. */
export interface OpenFile {
  writeFile(text: string): Promise<void>;
  /** Answers when the disk itself has what was written. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The file system of this machine. A run reads and writes thousands of small files and has nothing else to do
 * meanwhile: asking for each at once takes a fraction of what handing it to another thread and back does.
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
