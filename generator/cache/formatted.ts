import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../json/json.ts';
import { hashToolkit, readCache, writeCache } from './run-record.ts';
import { formatFile, isFormattable } from '../targets/format.ts';

/** The formatter of an output folder, which reuses the results of earlier runs. */
export interface Formatter {
  /** Formats a file as `formatFile` does, given its path and text. */
  readonly format: (path: string, text: string) => Promise<string>;
  /** Writes the hashes of this run's files to the cache, for the next run. */
  keep(): Promise<void>;
}

/** The hash of a file's unformatted text, its formatted text, and the hash of both. */
interface Formatted {
  readonly given: string;
  readonly code: string;
  readonly both: string;
}

const format = 1;

/**
 * The files that this process formatted, by folder and path. A process that generates again formats only the changed
 * files.
 */
const known = new Map<string, Map<string, Formatted>>();

/**
 * Creates the formatter of an output folder. It reads formatted text from the folder itself if the cached hash shows
 * that the same input became that text. After an edit, with a damaged cache or with another toolkit version, the file
 * is formatted again, which only costs time.
 * @param cache the path of the cache of hashes; without it, nothing is cached on disk
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
