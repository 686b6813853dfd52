import { CommandError } from 'countersign/companion/terminal';
import { isJsonObject } from 'countersign/companion/values';
import type { Json } from 'countersign/kit';

/** The name of the lock file, in the folder of the pulled documents. */
export const lockName = 'countersign.pull.json';

/** A document in the lock file. */
export interface LockedDocument {
  /** Its address, without credentials. */
  readonly url: string;
  /** Its path below the folder, with `/`. */
  readonly file: string;
  /** The SHA-256 hash of the bytes that were fetched, in hex. */
  readonly sha256: string;
  /** That of the file, where references in it were rewritten. */
  readonly fileSha256?: string;
  /** When these bytes were first fetched, as an ISO 8601 timestamp. */
  readonly date: string;
}

/** What was pulled into a folder. */
export interface PullLock {
  /** The addresses that the user named, without credentials. */
  readonly entries: readonly string[];
  readonly documents: readonly LockedDocument[];
}

/** Returns the text of the lock file. */
export function printLock({ entries, documents }: PullLock): string {
  return `${JSON.stringify({ version: 1, entries, documents }, null, 2)}\n`;
}

/**
 * Reads the text of a lock file.
 * @throws CommandError `invalid-lock` for what `pull` does not write, such as a file outside the folder
 */
export function parseLock(text: string): PullLock {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw invalidLock('it is not JSON');
  }
  if (!isJsonObject(value) || value['version'] !== 1) throw invalidLock('its version is not 1');
  const { entries, documents } = value;
  if (!Array.isArray(entries) || !Array.isArray(documents))
    throw invalidLock('`entries` and `documents` must be lists');
  return {
    entries: entries.map((entry: Json) => textOf(entry, isAddress, 'an address')),
    documents: documents.map((document: Json) => {
      if (!isJsonObject(document)) throw invalidLock('a document must be an object');
      const { url = null, file = null, sha256 = null, fileSha256, date = null } = document;
      return {
        url: textOf(url, isAddress, 'an address'),
        file: textOf(file, isLocalPath, 'a path below its folder'),
        sha256: textOf(sha256, isHash, 'a hash'),
        ...(fileSha256 === undefined ? {} : { fileSha256: textOf(fileSha256, isHash, 'a hash') }),
        date: textOf(date, (text) => !Number.isNaN(Date.parse(text)), 'a date'),
      };
    }),
  };
}

function textOf(value: Json, accepts: (text: string) => boolean, what: string): string {
  if (typeof value === 'string' && accepts(value)) return value;
  throw invalidLock(`${JSON.stringify(value).slice(0, 80)} is not ${what}`);
}

function isAddress(text: string): boolean {
  return /^https?:/u.test(text) && URL.canParse(text);
}

function isHash(text: string): boolean {
  return /^[\da-f]{64}$/u.test(text);
}

/** Returns whether a path consists of names such as `pull` writes. */
function isLocalPath(text: string): boolean {
  return /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/u.test(text);
}

function invalidLock(reason: string): CommandError {
  return new CommandError(
    'invalid-lock',
    `Nothing was written: ${lockName} is not a lock file of \`pull\`: ${reason}. Restore it, or delete it with the pulled documents and pull again.`,
  );
}
