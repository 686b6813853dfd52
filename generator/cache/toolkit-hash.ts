import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash } from '../execution/content-hash.ts';
import { toolkitManifest } from '../execution/toolkit.ts';

/** Returns the hash of an input file's text. Ignores the byte order mark and the kind of line ends. */
export function inputHash(text: string): string {
  return contentHash(text.replace(/^\ufeff/u, '').replaceAll(/\r\n?/gu, '\n'));
}

/** Returns the hash of an input file on disk; `undefined` if it cannot be read. */
export function hashInput(path: string): string | undefined {
  try {
    return inputHash(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The hash of the toolkit, and the state of its files when they were hashed. */
interface ToolkitHash {
  readonly state: string;
  readonly hash: string;
}

let known: ToolkitHash | undefined;

/**
 * Returns the hash of every file of the toolkit, including its package.json, which pins each dependency to one version.
 * It is computed once: a process keeps running the code that it loaded, even if the files change. The files are read
 * unless the hash was kept and none has changed since, as the file system says: its size, and the time of its last
 * change, which no program can set.
 * @param cache the folder of the caches, in which the last run may have kept it
 */
export function hashToolkit(cache?: string): string {
  known ??= findHash(cache);
  return known.hash;
}

/** Returns the hash for the next process; `undefined` before it was computed. */
export function toolkitHashToKeep(): string | undefined {
  return known && JSON.stringify(known);
}

/** Returns the path of the file that has the hash, in the folder of caches. */
export function toolkitHashPath(cache: string): string {
  return join(cache, 'toolkit.json');
}

function findHash(cache: string | undefined): ToolkitHash {
  const files = toolkitFiles();
  // Before the files are read: one that changes in the meantime has another state at the next start.
  const state = stateOf(files);
  const kept = cache === undefined ? undefined : readKept(toolkitHashPath(cache));
  return kept?.state === state ? kept : { state, hash: hashFiles(files) };
}

function readKept(path: string): ToolkitHash | undefined {
  try {
    const { state, hash }: Partial<Record<string, unknown>> = JSON.parse(
      readFileSync(path, 'utf8'),
    );
    return typeof state === 'string' && typeof hash === 'string' ? { state, hash } : undefined;
  } catch {
    return undefined;
  }
}

function stateOf(files: readonly string[]): string {
  const states = files.map((path) => {
    const { size, ctimeMs, ino } = statSync(path);
    return `${path}\0${size}\0${ctimeMs}\0${ino}`;
  });
  return contentHash(states.join('\n'));
}

/** Returns the hash of the toolkit's files as they are on disk now. */
export function hashToolkitFiles(): string {
  return hashFiles(toolkitFiles());
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of files) {
    const content = readFileSync(path);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Returns the files whose hash is that of the toolkit, in the order of their paths. */
function toolkitFiles(): readonly string[] {
  const files = [toolkitManifest()];
  const root = dirname(import.meta.dirname);
  // `npm run build` writes these. While the toolkit runs from its sources, they can appear at any time.
  const builtFolders = ['dist', 'schemas'].map((name) => join(root, name));
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && !builtFolders.includes(path))
        walk(path);
      else if (entry.isFile() && /(?:\.json|(?<!\.d)\.[jt]s)$/u.test(entry.name)) files.push(path);
    }
  };
  walk(root);
  return files.toSorted();
}
