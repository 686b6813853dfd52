import { posix, relative, resolve, sep } from 'node:path';
import type { Invocation, Pairs } from 'countersign/companion/command';
import { assertNotLinkedOut } from 'countersign/companion/paths';
import { readSecret } from 'countersign/companion/secrets';
import { CommandError, type ExitCode, exitCodes, writeJson } from 'countersign/companion/terminal';
import { readAddress } from './address.ts';
import { pullContract } from './pull-contract.ts';

/** The folder of pulled documents, if `--to` does not name one. */
const defaultFolder = 'contract';

/** The timeout for one document in milliseconds, if `--timeout-ms` does not state it. */
const defaultTimeoutMs = 30_000;

/** The command line of `pull`. */
type PullInvocation = Invocation<PullOptions, readonly [url: string | undefined]>;

interface PullOptions {
  readonly to?: string;
  readonly check?: true;
  readonly markdown?: true;
  readonly headerEnv?: Pairs;
  readonly allowPrivate?: true;
  readonly timeoutMs?: number;
}

/** Fetches a contract and what it refers to, or reports what is newer than the pulled documents. */
export async function runPull(invocation: PullInvocation): Promise<ExitCode> {
  const { values, options, flags, terminal } = invocation;
  const [address] = values;
  const isCheck = options.check === true;
  const named = address === undefined ? undefined : readAddress(address);
  const shownFolder = options.to ?? defaultFolder;
  const folder = resolve(terminal.folder, shownFolder);
  assertNotLinkedOut(folder, terminal.folder);
  const pulled = await pullContract({
    named,
    folder,
    shownFolder,
    isCheck,
    allowPrivate: options.allowPrivate === true,
    headers: headersOf(named, invocation),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    environment: terminal.environment,
  });
  const shown = relative(terminal.folder, folder).split(sep).join('/');
  const changes = pulled.changes
    .filter(({ change }) => change !== 'unchanged')
    .map((fileChange) => ({ ...fileChange, file: posix.join(shown, fileChange.file) }));
  const isNewer = isCheck && changes.length > 0;
  if (flags.quiet && !flags.json && !isNewer) return exitCodes.ok;
  const { replaced } = pulled;
  const differences =
    replaced === undefined
      ? []
      : await (
          await import('./compare-documents.ts')
        ).compareDocuments(replaced, folder, invocation);
  if (flags.json) {
    const results = differences.flatMap((text) => readResults(text));
    const data = replaced === undefined ? {} : { differences: results };
    writeJson(terminal, { command: 'pull', ok: !isNewer, folder: shown, changes, ...data });
  } else {
    const lines = changes.map(
      ({ change, file, url }) => `${change.padEnd(7)}  ${file}  from ${url}`,
    );
    const note = `${isCheck ? 'The next pull gives' : 'This pull has given'} documents names that end in .pulled, which no tool acts on. Name them in the configuration.`;
    const summary = summaryOf(changes.length, pulled.documents, isCheck);
    const text = [...lines, ...(pulled.renames ? [note] : []), summary].join('\n');
    // Markdown is redirected into a file, which gets nothing else.
    if (options.markdown === true) terminal.error(`${text}\n`);
    else terminal.out(`${text}\n`);
    for (const difference of differences) terminal.out(difference);
  }
  return isNewer ? exitCodes.problems : exitCodes.ok;
}

function readResults(json: string): readonly unknown[] {
  const { results } = JSON.parse(json) as { readonly results: readonly unknown[] };
  return results;
}

function summaryOf(changed: number, all: number, checks: boolean): string {
  const documents = all === 1 ? '1 document' : `${all} documents`;
  if (changed === 0) return `pulled: up to date (${documents})`;
  return checks
    ? `newer: ${changed} of ${documents}; run \`countersign pull\``
    : `pulled: ${documents}, ${changed} changed`;
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
