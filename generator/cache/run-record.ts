import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { isJsonObject } from '../json/json.ts';
import { toolkitManifest } from '../execution/toolkit.ts';
import { contentHash } from '../execution/content-hash.ts';

/**
 * What the last successful run read and wrote. It lies in `node_modules/.cache`, belongs to one machine, and may be
 * deleted or be wrong in any way at no cost but time: every file it names is hashed again before it is believed.
 */
export interface RunRecord {
  /** Of the toolkit itself and of the configuration as a value. */
  readonly key: string;
  /** Hash of every file that decides the output, by absolute path. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Hash of the manifest of the output folder, which has the hashes of the rest. */
  readonly manifest: string;
  /** What the run had to say, so that a run with nothing to do says it again. */
  readonly diagnostics: readonly Diagnostic[];
}

const format = 1;

/** The hash of a file that decides the output: byte order mark and line ends do not count. */
export function inputHash(text: string): string {
  return contentHash(text.replace(/^\ufeff/u, '').replaceAll(/\r\n?/gu, '\n'));
}

/** The hash of an input as it lies on the disk; `undefined` where it cannot be read. */
export function hashInput(path: string): string | undefined {
  try {
    return inputHash(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * What two runs must have in common besides files: the toolkit, byte by byte, and what the configuration evaluates
 * to. `undefined` where a target of the user's own names no file that decides its output: then no run is like another.
 */
export function recordKey(config: Config): string | undefined {
  const own = config.targets.filter((target) => typeof target !== 'string');
  if (own.some(({ fingerprint }) => fingerprint.length === 0)) return undefined;
  const targets = config.targets.map((target) =>
    typeof target === 'string'
      ? target
      : { name: target.name, requires: target.requires, fingerprint: target.fingerprint },
  );
  // What `lint` says of a contract decides no output.
  const { lint: _, ...decisive } = config;
  return contentHash(JSON.stringify([format, hashToolkit(), { ...decisive, targets }]));
}

/**
 * Where the record of a configuration lies, and what else is kept of it: in the nearest `node_modules` upward, which every version control ignores
 * and every clean-up clears. Without one there is no record: no other place is known to be ours.
 */
export function recordPath(
  folder: string,
  output: string,
  ending: '.json' | '.formatted.json' | '.validators' = '.json',
): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules'))) {
      const name = contentHash(resolve(folder, output)).slice(0, 32);
      return join(at, 'node_modules', '.cache', 'countersign', `${name}${ending}`);
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Reads a record; `undefined` where there is none that can be understood. */
export async function readRecord(path: string): Promise<RunRecord | undefined> {
  const value = await readCache(path);
  return isRecord(value) ? value : undefined;
}

/** Keeps a record. */
export async function writeRecord(path: string, record: RunRecord): Promise<void> {
  await writeCache(path, { format, ...record });
}

/** Reads what an earlier run has kept, which may be anything; `undefined` where there is nothing, or no JSON. */
export async function readCache(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Keeps something for the next run, all at once. A disk that refuses costs that run time, and this one nothing. */
export async function writeCache(path: string, value: object): Promise<void> {
  await writeCacheText(path, JSON.stringify(value));
}

/** The same of a text. */
export async function writeCacheText(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } catch {
    // The next run does the whole work again.
  }
}

function isRecord(value: unknown): value is RunRecord {
  return (
    isJsonObject(value) &&
    value['format'] === format &&
    typeof value['key'] === 'string' &&
    typeof value['manifest'] === 'string' &&
    isJsonObject(value['inputs']) &&
    Array.isArray(value['diagnostics'])
  );
}

let toolkitHash: string | undefined;

/**
 * Of every file of the toolkit; its package.json pins the libraries that it works with to one version each. Taken once:
 * a process goes on with the code that it has loaded, whatever becomes of the files.
 */
export function hashToolkit(): string {
  toolkitHash ??= hashToolkitFiles();
  return toolkitHash;
}

/** The same of the files as they are now. */
export function hashToolkitFiles(): string {
  const files = [toolkitManifest()];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'dist') walk(path);
      else if (entry.isFile() && /(?<!\.d)\.[jt]s$/u.test(entry.name)) files.push(path);
    }
  };
  walk(dirname(import.meta.dirname));
  return contentHash(
    files
      .toSorted()
      .map((path) => `${path}\0${hashInput(path)}`)
      .join('\n'),
  );
}
