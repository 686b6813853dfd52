import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../json/json.ts';
import { hashToolkit, readCache, writeCache } from './run-record.ts';
import { formatFile, isFormattable } from '../targets/format.ts';

/** Formats the files of an output folder, and knows again those that it has formatted before. */
export interface Formatter {
  /** As `formatFile` does. */
  readonly format: (path: string, text: string) => Promise<string>;
  /** Keeps for the next run what the files of this one were made from. */
  keep(): Promise<void>;
}

/** What a file of the folder was formatted from and to. */
interface Formatted {
  readonly given: string;
  readonly code: string;
  readonly both: string;
}

const format = 1;

/** What this process has formatted, by folder: a process that generates again formats what has changed alone. */
const known = new Map<string, Map<string, Formatted>>();

/**
 * Makes the formatter of an output folder. What was formatted before is taken from the folder itself, where the hash
 * that was kept says that this very text became what lies there: an edit, a damaged cache or another toolkit has the
 * file formatted again, and costs nothing but time.
 * @param cache where to keep hashes; nothing is kept where there is no place
 */
export async function createFormatter(
  folder: string,
  cache: string | undefined,
  formatText: typeof formatFile = formatFile,
): Promise<Formatter> {
  const kept = cache === undefined ? new Map<string, string>() : await readHashes(cache);
  const before = known.get(folder);
  const now = new Map<string, Formatted>();
  return {
    async format(path, text) {
      if (!isFormattable(path)) return text;
      const given = digest(text);
      const same = before?.get(path);
      const found = same?.given === given ? same : find(folder, path, given, kept.get(path));
      if (found !== undefined) {
        now.set(path, found);
        return found.code;
      }
      const code = await formatText(path, text);
      now.set(path, { given, code, both: digest(given + code) });
      return code;
    },
    async keep() {
      known.set(folder, now);
      if (cache === undefined) return;
      const files = Object.fromEntries(Array.from(now, ([path, { both }]) => [path, both]));
      await writeCache(cache, { format, toolkit: hashToolkit(), files });
    },
  };
}

function find(
  folder: string,
  path: string,
  given: string,
  both: string | undefined,
): Formatted | undefined {
  if (both === undefined) return undefined;
  try {
    const place = join(folder, path);
    if (!lstatSync(place).isFile()) return undefined;
    const code = readFileSync(place, 'utf8').replaceAll('\r\n', '\n');
    return digest(given + code) === both ? { given, code, both } : undefined;
  } catch {
    return undefined;
  }
}

async function readHashes(cache: string): Promise<ReadonlyMap<string, string>> {
  const value = await readCache(cache);
  if (!isJsonObject(value) || value['format'] !== format) return new Map();
  const { toolkit, files } = value;
  if (toolkit !== hashToolkit() || !isJsonObject(files)) return new Map();
  return new Map(
    Object.entries(files).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
