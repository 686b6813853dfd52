import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from 'countersign/companion/terminal';
import { toShownAddress } from './address.ts';
import { createFetchDocument, type FetchOptions } from './fetch-document.ts';
import { isPulledPath } from './local-paths.ts';
import type { PulledDocument } from './pull-documents.ts';
import { lockName, parseLock, type PullLock } from './pull-lock.ts';
import type { FileChange } from './write-documents.ts';

/** What to pull, and how. */
export interface PullRequest extends Omit<FetchOptions, 'totalTimeoutMs' | 'lookup'> {
  /** The address of the command line; without one, those of the lock file. */
  readonly named: URL | undefined;
  /** The folder of the documents, absolute, and as messages show it. */
  readonly folder: string;
  readonly shownFolder: string;
  /** Whether nothing is written. */
  readonly isCheck: boolean;
}

/** What was pulled. */
export interface PulledContract {
  /** What happened to each file, or with `isCheck` would happen. */
  readonly changes: readonly FileChange[];
  /** The number of documents. */
  readonly documents: number;
  /** Whether documents that an older version pulled get other names. */
  readonly renames: boolean;
  /** What a newer version replaced. */
  readonly replaced?: ReplacedDocuments;
}

/** The documents of before, of which at least one was replaced. */
export interface ReplacedDocuments {
  /** The file of each named document, before and after. */
  readonly entries: readonly { readonly before: string; readonly after: string }[];
  readonly documents: readonly { readonly file: string; readonly content: Buffer }[];
}

/** Milliseconds for all documents. */
const totalTimeoutMs = 300_000;

/**
 * Fetches a contract and what it refers to, and writes it with its lock file, or returns what is newer.
 * @throws CommandError; then no file was changed
 */
export async function pullContract(request: PullRequest): Promise<PulledContract> {
  const { named, folder, shownFolder, isCheck, ...connection } = request;
  const previous = await readLock(folder);
  const entries = entriesOf(named, previous, shownFolder, isCheck);
  // What reads documents is loaded when there are some.
  const { pullDocuments, toLock } = await import('./pull-documents.ts');
  const { writeDocuments } = await import('./write-documents.ts');
  const fetchDocument = createFetchDocument({ ...connection, totalTimeoutMs });
  const pulled = await pullDocuments(entries, fetchDocument, previous?.documents ?? []);
  const newer = compare(pulled, previous);
  const isReplacing = !isCheck && newer.some(({ change }) => change === 'updated');
  const replaced = isReplacing && (await readReplaced(folder, pulled, previous));
  const changes = isCheck
    ? newer
    : await writeDocuments(folder, pulled, toLock(entries, pulled, previous, new Date()), previous);
  const renames = previous?.documents.some(({ file }) => !isPulledPath(file)) === true;
  return { changes, documents: pulled.length, renames, ...(replaced ? { replaced } : {}) };
}

/**
 * Returns the addresses to pull, without credentials: those of the lock file, and the named one.
 * @throws CommandError `usage`
 */
function entriesOf(
  named: URL | undefined,
  previous: PullLock | undefined,
  folder: string,
  checks: boolean,
): readonly URL[] {
  const locked = (previous?.entries ?? []).map((entry) => new URL(entry));
  if (named === undefined || checks) {
    if (locked.length === 0)
      throw new CommandError(
        'usage',
        `There is no ${lockName} in ${folder}. Name the URL of a contract, or the folder with --to.`,
      );
    if (named !== undefined && !locked.some(({ href }) => href === toShownAddress(named)))
      throw new CommandError('usage', `${toShownAddress(named)} was not pulled into ${folder}.`);
    return locked;
  }
  const address = new URL(toShownAddress(named));
  return locked.some(({ href }) => href === address.href) ? locked : [...locked, address];
}

/** Returns what is newer than the documents of a lock file. */
function compare(
  pulled: readonly PulledDocument[],
  previous: PullLock | undefined,
): readonly FileChange[] {
  const documentsByUrl = new Map(previous?.documents.map((document) => [document.url, document]));
  const current = new Set(pulled.map(({ address }) => address.href));
  return [
    ...pulled.map(({ address, file, sha256 }): FileChange => {
      const before = documentsByUrl.get(address.href);
      const change =
        before === undefined ? 'created' : before.sha256 === sha256 ? 'unchanged' : 'updated';
      return { file, url: address.href, change };
    }),
    ...(previous?.documents ?? [])
      .filter(({ url }) => !current.has(url))
      .map(({ file, url }): FileChange => ({ file, url, change: 'removed' })),
  ];
}

/** Reads the documents of a lock file before they are replaced. One that was deleted is left out. */
async function readReplaced(
  folder: string,
  pulled: readonly PulledDocument[],
  previous: PullLock | undefined,
): Promise<ReplacedDocuments> {
  const { entries = [], documents = [] } = previous ?? {};
  const contents = await Promise.all(
    documents.map(async ({ file }) => {
      const content = await readFile(join(folder, file)).catch(() => undefined);
      return content === undefined ? [] : [{ file, content }];
    }),
  );
  return {
    entries: entries.flatMap((entry) => {
      const before = documents.find(({ url }) => url === entry)?.file;
      const after = pulled.find(({ address }) => address.href === entry)?.file;
      return before === undefined || after === undefined ? [] : [{ before, after }];
    }),
    documents: contents.flat(),
  };
}

async function readLock(folder: string): Promise<PullLock | undefined> {
  let lock: string;
  try {
    lock = await readFile(join(folder, lockName), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return parseLock(lock);
}
