import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isJsonObject } from '../json/json.ts';
import { hashToolkit, writeCacheText } from './run-record.ts';
import { ajvVersion } from '../schema/ajv.ts';
import type { ValidatorCode } from '../schema/validator-code.ts';
import type { ValidatorCache } from '../schema/validator-compiler.ts';

/** A cache of validators that persists between runs. */
export interface KeptValidatorCache extends ValidatorCache {
  /** Writes what this run used, for the next one; entries that it did not use are dropped. */
  keep(): Promise<void>;
}

/** A line of the file: a key, the hash of the rest, and the code as JSON. */
const keyLength = 43;
const hashLength = 43;

/** What this process has compiled, by file: a process that generates again does not read its own file. */
const known = new Map<string, ReadonlyMap<string, ValidatorCode>>();

/**
 * Opens the cache of a configuration. It is discarded if another toolkit or another Ajv has written it: these decide
 * formats, options and the printed code. An entry that is damaged is not found, so that its schema is compiled again.
 */
export async function openValidatorCache(path: string | undefined): Promise<KeptValidatorCache> {
  const environment = hash('sha256', JSON.stringify([1, hashToolkit(), ajvVersion()]), 'base64url');
  const before = path === undefined ? undefined : known.get(path);
  const lines =
    path === undefined || before !== undefined ? [] : await readLines(path, environment);
  const kept = new Map(lines.map((line) => [line.slice(0, keyLength), line]));
  const used = new Map<string, ValidatorCode>();
  let hasChanged = false;
  return {
    find(key) {
      const code = before?.get(key) ?? readLine(kept.get(key));
      if (code !== undefined) used.set(key, code);
      return code;
    },
    add(key, code) {
      hasChanged = true;
      // An entry with this key that was not found is damaged, so its line is dropped.
      kept.delete(key);
      used.set(key, code);
    },
    async keep() {
      if (path === undefined) return;
      known.set(path, used);
      if (!hasChanged && used.size === (before ?? kept).size) return;
      const texts = Array.from(used, ([key, code]) => kept.get(key) ?? writeLine(key, code));
      await writeCacheText(path, [environment, ...texts].join('\n'));
    },
  };
}

async function readLines(path: string, environment: string): Promise<readonly string[]> {
  try {
    const [first, ...lines] = (await readFile(path, 'utf8')).split('\n');
    return first === environment ? lines : [];
  } catch {
    return [];
  }
}

function writeLine(key: string, code: ValidatorCode): string {
  const text = JSON.stringify(code);
  return `${key}${hash('sha256', key + text, 'base64url')}${text}`;
}

function readLine(line: string | undefined): ValidatorCode | undefined {
  if (line === undefined) return undefined;
  const key = line.slice(0, keyLength);
  const text = line.slice(keyLength + hashLength);
  const expected = line.slice(keyLength, keyLength + hashLength);
  if (hash('sha256', key + text, 'base64url') !== expected) return undefined;
  const code: unknown = JSON.parse(text);
  return isJsonObject(code) ? (code as unknown as ValidatorCode) : undefined;
}
