import { readFile } from 'node:fs/promises';
import { join, posix, relative, resolve, sep } from 'node:path';
import type { Invocation, Pairs } from 'countersign/companion/command';
import { assertNotLinkedOut } from 'countersign/companion/documents';
import { readSecret } from 'countersign/companion/secrets';
import { CommandError, type ExitCode, exitCodes, writeJson } from 'countersign/companion/terminal';
import { readAddress, toShownAddress } from './address.ts';
import { createFetchDocument } from './fetch-document.ts';
import { pullDocuments, toLock, type PulledDocument } from './pull-documents.ts';
import { isPulledPath } from './local-paths.ts';
import { lockName, parseLock, type PullLock } from './pull-lock.ts';
import { type FileChange, writeDocuments } from './write-documents.ts';

/** The folder of pulled documents, if `--to` does not name one. */
const defaultFolder = 'contract';

/** The timeout for one document in milliseconds, if `--timeout-ms` does not state it. */
const defaultTimeoutMs = 30_000;

/** Milliseconds for all documents. */
const totalTimeoutMs = 300_000;

/** The command line of `pull`. */
type PullInvocation = Invocation<PullOptions, readonly [url: string | undefined]>;

interface PullOptions {
  readonly to?: string;
  readonly check?: true;
  readonly headerEnv?: Pairs;
  readonly allowPrivate?: true;
  readonly timeoutMs?: number;
}

/** Fetches a contract and what it refers to, or reports what is newer than the pulled documents. */
export async function runPull(invocation: PullInvocation): Promise<ExitCode> {
  const { values, options, flags, terminal } = invocation;
  const [address] = values;
  const checks = options.check === true;
  const shownFolder = options.to ?? defaultFolder;
  const folder = resolve(terminal.folder, shownFolder);
  assertNotLinkedOut(folder, terminal.folder);
  const previous = await readLock(folder);
  const named = address === undefined ? undefined : readAddress(address);
  const entries = entriesOf(named, previous, shownFolder, checks);
  const fetchDocument = createFetchDocument({
    allowPrivate: options.allowPrivate === true,
    headers: headersOf(named, invocation),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    totalTimeoutMs,
    environment: terminal.environment,
  });
  const pulled = await pullDocuments(entries, fetchDocument, previous?.documents ?? []);
  const changes = checks
    ? compare(pulled, previous)
    : await writeDocuments(folder, pulled, toLock(entries, pulled, previous, new Date()), previous);
  const shown = relative(terminal.folder, folder).split(sep).join('/');
  const shownChanges = changes
    .filter(({ change }) => change !== 'unchanged')
    .map((fileChange) => ({ ...fileChange, file: posix.join(shown, fileChange.file) }));
  const isNewer = checks && shownChanges.length > 0;
  if (flags.json) {
    writeJson(terminal, { command: 'pull', ok: !isNewer, folder: shown, changes: shownChanges });
  } else if (!flags.quiet || isNewer) {
    const lines = shownChanges.map(
      ({ change, file, url }) => `${change.padEnd(7)}  ${file}  from ${url}`,
    );
    const moved = previous?.documents.some(({ file }) => !isPulledPath(file)) === true;
    const note = `${checks ? 'The next pull gives' : 'This pull has given'} documents names that end in .pulled, which no tool acts on. Name them in the configuration.`;
    const summary = summaryOf(shownChanges.length, pulled.length, checks);
    terminal.out(`${[...lines, ...(moved ? [note] : []), summary].join('\n')}\n`);
  }
  return isNewer ? exitCodes.problems : exitCodes.ok;
}

function summaryOf(changed: number, all: number, checks: boolean): string {
  const documents = all === 1 ? '1 document' : `${all} documents`;
  if (changed === 0) return `pulled: up to date (${documents})`;
  return checks
    ? `newer: ${changed} of ${documents}; run \`countersign pull\``
    : `pulled: ${documents}, ${changed} changed`;
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

/**
 * Returns the credentials by the origin that gets them: that of the named address alone. The lock file names none,
 * because whoever proposes a change of it would choose who gets them.
 * @throws CommandError `usage` or `missing-secret`
 */
function headersOf(
  named: URL | undefined,
  { options, terminal }: PullInvocation,
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const headers = Object.fromEntries(
    (options.headerEnv ?? []).map(([name, variable]) => {
      const value = readSecret(terminal.environment, variable);
      if (!/^[\w!#$%&'*+.^`|~-]+$/u.test(name) || /[^\t\u0020-\u007E\u0080-\u00FF]/u.test(value))
        throw new CommandError('usage', `--header-env ${name} is not a valid header.`);
      return [name.toLowerCase(), value] as const;
    }),
  );
  if (named === undefined) {
    if (Object.keys(headers).length === 0) return new Map();
    throw new CommandError(
      'usage',
      '--header-env requires the URL of a document: its credentials are sent to the origin of this URL alone.',
    );
  }
  const { username, password, origin } = named;
  const userAndPassword = `${decodeCredential(username)}:${decodeCredential(password)}`;
  const basic =
    username + password === ''
      ? {}
      : { authorization: `Basic ${Buffer.from(userAndPassword).toString('base64')}` };
  return new Map([[origin, { ...basic, ...headers }]]);
}

/** @throws CommandError `usage`, without the credential */
function decodeCredential(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new CommandError(
      'usage',
      'The user name or password of the URL has a `%` that begins no encoded character. Write it as `%25`.',
    );
  }
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
