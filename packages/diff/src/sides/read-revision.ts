import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isInFolder } from 'countersign/companion/paths';
import { CommandError } from 'countersign/companion/terminal';

/** A temporary folder with the files of a revision. The caller must dispose of it. */
export interface Revision extends AsyncDisposable {
  /** The absolute path of the temporary folder; its content is that of the given folder at the revision. */
  readonly folder: string;
  /** Symbolic links and submodules, which are not copied; relative to the folder, with `/`. */
  readonly links: readonly string[];
}

/**
 * Writes the files of a folder of a git repository at a revision to a temporary folder. Copies blobs only: runs no
 * filters or hooks, follows no links, and does not change the index or the work tree.
 * @param folder absolute
 * @param part the required subfolder, relative to `folder` with `/`; empty for the whole folder
 * @throws CommandError `not-a-revision`, or `git` if git fails
 */
export async function readRevision(
  folder: string,
  revision: string,
  part: string,
): Promise<Revision> {
  const prefix = await git(folder, ['rev-parse', '--show-prefix'], 'git');
  const commit = await git(
    folder,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    'not-a-revision',
    `\`${revision}\` is neither a revision of this repository nor a file or folder.`,
  );
  const paths = part === '' ? [] : ['--', part];
  const listed = await git(
    folder,
    ['ls-tree', '-r', '-l', '-z', '--full-tree', `${commit}:${prefix}`, ...paths],
    'git',
  );
  const entries = listed.split('\0').slice(0, -1).map(toEntry);
  const temporary = await mkdtemp(join(tmpdir(), 'countersign-diff-'));
  const dispose = async (): Promise<void> => await rm(temporary, { recursive: true, force: true });
  try {
    const files = entries.filter(({ isFile }) => isFile);
    for await (const { path, bytes } of readBlobs(folder, files))
      await writeWithin(temporary, path, bytes);
    const links = entries.filter(({ isFile }) => !isFile).map(({ path }) => path);
    return { folder: temporary, links, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** An entry of a git tree. */
interface TreeEntry {
  readonly path: string;
  /** Whether it is a regular file, not a symbolic link or submodule. */
  readonly isFile: boolean;
  readonly object: string;
  readonly size: number;
}

/** Parses a line of `git ls-tree -l`: `<mode> <type> <object> <size>\t<path>`. */
function toEntry(line: string): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', , object = '', size = ''] = line.slice(0, tab).split(/ +/u);
  return { path: line.slice(tab + 1), isFile: mode.startsWith('100'), object, size: Number(size) };
}

/**
 * Yields the content of the entries.
 * @throws CommandError `git` if git cannot read an entry
 */
async function* readBlobs(
  repository: string,
  entries: readonly TreeEntry[],
): AsyncGenerator<{ readonly path: string; readonly bytes: Buffer }> {
  const child = spawn('git', ['cat-file', '--batch', '--buffer'], {
    cwd: repository,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // If git exits early, its output ends early too, which is reported below.
  child.stdin.on('error', () => undefined);
  child.stdin.end(entries.map(({ object }) => `${object}\n`).join(''));
  try {
    const remaining = entries.values();
    let entry = remaining.next().value;
    let chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      while (entry !== undefined) {
        const header = Buffer.from(`${entry.object} blob ${entry.size}\n`);
        const length = header.length + entry.size + 1;
        if (size < length) break;
        const bytes = Buffer.concat(chunks);
        if (!header.equals(bytes.subarray(0, header.length))) break;
        yield { path: entry.path, bytes: bytes.subarray(header.length, length - 1) };
        chunks = [bytes.subarray(length)];
        size -= length;
        entry = remaining.next().value;
      }
    }
    if (entry !== undefined)
      throw new CommandError('git', `git failed: it cannot read \`${entry.path}\`.`);
  } finally {
    child.kill();
  }
}

/**
 * Writes a file into a folder.
 * @throws CommandError `git` for a path outside of the folder, which a forged tree can have
 */
async function writeWithin(folder: string, path: string, bytes: Buffer): Promise<void> {
  const target = join(folder, path);
  if (!isInFolder(folder, target))
    throw new CommandError('git', `The revision has a path that leaves its folder: \`${path}\`.`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, bytes);
}

const run = promisify(execFile);

async function git(
  folder: string,
  parameters: readonly string[],
  code: string,
  message?: string,
): Promise<string> {
  try {
    const { stdout } = await run('git', parameters, {
      cwd: folder,
      env: { ...process.env, GIT_LITERAL_PATHSPECS: '1' },
      maxBuffer: 1 << 30,
    });
    return stdout.replace(/\n$/u, '');
  } catch (error) {
    const stderr =
      error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new CommandError(code, message ?? `git failed: ${stderr.split('\n')[0]}`, {
      cause: error,
    });
  }
}
