import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { contentHash } from '../execution/content-hash.ts';
import { hashToolkit, toolkitHashPath, toolkitHashToKeep } from './toolkit-hash.ts';

/** Results that persist between runs, by key. A file that is lost or damaged only costs the time to make them again. */
export interface Kept<Value> {
  /** Whether there are no results of an earlier run. */
  readonly isEmpty: boolean;
  find(key: string): Value | undefined;
  add(key: string, value: Value): void;
  /** Writes what this run found or added, for the next one. If the file system refuses, the error is ignored. */
  keep(): Promise<void>;
}

/**
 * Opens the results in a file. They are discarded if another toolkit wrote them, or if the file does not have the hash in
 * its first line.
 * @param path the path of the file; without it, nothing is read or written
 * @param environment what the results depend on besides their keys and the toolkit
 */
export async function openKept<Value>(
  path: string | undefined,
  environment = '',
): Promise<Kept<Value>> {
  const folder = path === undefined ? undefined : dirname(path);
  const sign = (text: string): string =>
    contentHash([hashToolkit(folder), environment, text].join('\n'));
  const before = path === undefined ? new Map<string, Value>() : await read<Value>(path, sign);
  const used = new Map<string, Value>();
  let hasChanged = false;
  return {
    isEmpty: before.size === 0,
    find(key) {
      const value = before.get(key);
      if (value !== undefined) used.set(key, value);
      return value;
    },
    add(key, value) {
      hasChanged = true;
      used.set(key, value);
    },
    async keep() {
      if (path === undefined || (!hasChanged && used.size === before.size)) return;
      const text = JSON.stringify([...used]);
      await write(path, `${sign(text)}\n${text}`);
      const toolkit = toolkitHashToKeep();
      if (toolkit !== undefined) await write(toolkitHashPath(dirname(path)), toolkit);
    },
  };
}

async function read<Value>(
  path: string,
  sign: (text: string) => string,
): Promise<ReadonlyMap<string, Value>> {
  try {
    const content = await readFile(path, 'utf8');
    const text = content.slice(content.indexOf('\n') + 1);
    if (content === `${sign(text)}\n${text}`) return new Map(JSON.parse(text));
  } catch {
    // There is no file, or it cannot be read.
  }
  return new Map();
}

/** Writes a file atomically. */
async function write(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } catch {
    // The next run repeats the work.
  }
}
