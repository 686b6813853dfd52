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
 * The inputs and outputs of the last successful run. It is in `node_modules/.cache` and valid for one machine. It can
 * be deleted or damaged at no cost but time: every file that it lists is hashed again before use.
 */
export interface RunRecord {
  /** The hash of the toolkit and of the evaluated configuration. */
  readonly key: string;
  /** The hash of every file that decides the output, by absolute path. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The hash of the output folder's manifest, which has the hashes of the generated files. */
  readonly manifest: string;
  /** The diagnostics of the run. A run with nothing to do reports them again. */
  readonly diagnostics: readonly Diagnostic[];
}

const format = 1;

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

/**
 * Returns the hash of what two runs must have in common besides files: the bytes of the toolkit and the evaluated
 * configuration. Returns `undefined` if a custom target has an empty `fingerprint`: its output can change without a
 * changed file.
 */
export function recordKey(config: Config): string | undefined {
  const own = config.targets.filter((target) => typeof target !== 'string');
  if (own.some(({ fingerprint }) => fingerprint.length === 0)) return undefined;
  const targets = config.targets.map((target) =>
    typeof target === 'string'
      ? target
      : { name: target.name, requires: target.requires, fingerprint: target.fingerprint },
  );
  // The `lint` settings do not affect the output.
  const { lint: _, ...decisive } = config;
  return contentHash(JSON.stringify([format, hashToolkit(), { ...decisive, targets }]));
}

/**
 * Returns the path of a configuration's run record or other cache. It is in the nearest `node_modules`, searched
 * upwards, which version control ignores and clean-ups remove. Returns `undefined` if there is none, because no other
 * folder is known to be safe to write to.
 */
export function recordPath(
  folder: string,
  output: string,
  ending: '.json' | '.formatted.json' | '.patterns.json' | '.validators' = '.json',
): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules'))) {
      const name = contentHash(resolve(folder, output)).slice(0, 32);
      return join(at, 'node_modules', '.cache', 'countersign', `${name}${ending}`);
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Reads a run record; `undefined` if it is missing or not valid. */
export async function readRecord(path: string): Promise<RunRecord | undefined> {
  const value = await readCache(path);
  return isRecord(value) ? value : undefined;
}

/** Writes a run record. */
export async function writeRecord(path: string, record: RunRecord): Promise<void> {
  await writeCache(path, { format, ...record });
}

/** Reads a JSON cache of an earlier run, without validating it; `undefined` if it is missing or not JSON. */
export async function readCache(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes a JSON cache atomically. If the file system refuses, the error is ignored, and the next run takes longer. */
export async function writeCache(path: string, value: object): Promise<void> {
  await writeCacheText(path, JSON.stringify(value));
}

/** Writes a text as `writeCache` writes JSON. */
export async function writeCacheText(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } catch {
    // Ignored: without the cache, the next run repeats the work.
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
 * Returns the hash of every file of the toolkit, including its package.json, which pins each dependency to one version.
 * It is computed once: a process keeps running the code that it loaded, even if the files change.
 */
export function hashToolkit(): string {
  toolkitHash ??= hashToolkitFiles();
  return toolkitHash;
}

/** Returns the hash of the toolkit's files as they are on disk now. */
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
