import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKept } from './kept.ts';
import { formatFile, isFormattable } from '../targets/format.ts';

/** The formatter of an output folder, which reuses the results of earlier runs. */
export interface Formatter {
  /** Formats a file as `formatFile` does, given its path and text. */
  readonly format: (path: string, text: string) => Promise<string>;
  /** Writes the hashes of this run's files to the cache, for the next run. */
  keep(): Promise<void>;
}

/**
 * Creates the formatter of an output folder. It reads formatted text from the folder itself if the cached hash shows
 * that the same input became that text. After an edit, with a damaged cache or with another toolkit version, the file
 * is formatted again, which only costs time.
 * @param cache the path of the cache of hashes; without it, nothing is cached
 */
export async function createFormatter(
  folder: string,
  cache: string | undefined,
  formatText: typeof formatFile = formatFile,
): Promise<Formatter> {
  const hashes = await openKept<string>(cache);
  return {
    async format(path, text) {
      if (!isFormattable(path)) return text;
      const cachedHash = hashes.find(path);
      const before = cachedHash === undefined ? undefined : readText(join(folder, path));
      if (before !== undefined && digest(text, before) === cachedHash) return before;
      const code = await formatText(path, text);
      hashes.add(path, digest(text, code));
      return code;
    },
    keep: () => hashes.keep(),
  };
}

function readText(path: string): string | undefined {
  try {
    return lstatSync(path).isFile()
      ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the hash of a file's unformatted and its formatted text. */
function digest(unformatted: string, formatted: string): string {
  // Joining the texts would copy both.
  return createHash('sha256')
    .update(`${unformatted.length}\n`)
    .update(unformatted)
    .update(formatted)
    .digest('base64url');
}
