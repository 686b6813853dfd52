import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../../cli/command-error.ts';

/** A folder with files as they were at a revision; to be disposed of. */
export interface Checkout extends AsyncDisposable {
  /** The same folder as the one asked for, as it was; absolute. */
  readonly folder: string;
}

/**
 * Writes everything below a folder of a git repository, as a revision has it, to a temporary place. Runs no hook, and
 * leaves index and work tree alone.
 * @throws CommandError `not-a-revision`, or `git` where git itself fails
 */
export async function checkOut(folder: string, revision: string): Promise<Checkout> {
  const prefix = await git(folder, ['rev-parse', '--show-prefix'], 'git');
  const commit = await git(
    folder,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    'not-a-revision',
    `\`${revision}\` is no revision of this repository, and no file or folder.`,
  );
  const temporary = await mkdtemp(join(tmpdir(), 'countersign-diff-'));
  const dispose = async (): Promise<void> => await rm(temporary, { recursive: true, force: true });
  try {
    const tree = join(temporary, 'tree');
    const index = { GIT_INDEX_FILE: join(temporary, 'index') };
    const tracked = prefix === '' ? commit : `${commit}:${prefix}`;
    await git(folder, ['read-tree', tracked], 'git', undefined, index);
    const all = ['checkout-index', '--all', '--quiet', `--prefix=${tree}${sep}`];
    await git(folder, all, 'git', undefined, index);
    return { folder: tree, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

const run = promisify(execFile);

async function git(
  folder: string,
  argumentList: readonly string[],
  code: string,
  message?: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout } = await run('git', argumentList, {
      cwd: folder,
      env: { ...process.env, ...environment },
    });
    return stdout.trim();
  } catch (error) {
    const stderr =
      error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new CommandError(code, message ?? `git failed: ${stderr.split('\n')[0]}`, {
      cause: error,
    });
  }
}
