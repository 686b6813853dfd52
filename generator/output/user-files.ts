import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  copyFile,
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { OutputError, systemErrorCode, toOutputError } from '../emit/output-error.ts';
import { assertOutputPaths, lockPrefix } from '../emit/output-path.ts';
import { systemDisk } from './disk.ts';
import { lock } from './lock.ts';
import { assertWithin } from './within.ts';

/** A file to create. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** An existing file of the user, before and after insertions. */
interface FileEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Changes of files that the user maintains, in one folder. */
export interface UserFileChanges {
  readonly creates: readonly NewFile[];
  readonly edits: readonly FileEdit[];
}

const stagingPrefix = '.countersign-';
const stagingFolder = /^\.countersign-[0-9a-f]{16}$/u;

/**
 * Writes new files in the given order, then the edits. All texts are staged on the disk before the first file gets its
 * name. A killed process therefore leaves each file either old or new. New files without their registration do no harm,
 * and the next run continues from there. An edit overwrites only the text that it was made from. If a step fails, the
 * created files are removed and the edited files are restored.
 * @throws OutputError `occupied` if a new file exists, `not-writable` if an edited file was changed meanwhile or is
 * read-only, and for errors of the system
 */
export async function writeUserFiles(
  folder: string,
  { creates, edits }: UserFileChanges,
): Promise<void> {
  assertOutputPaths(creates.map(({ path }) => path));
  const isIdle = creates.length + edits.length === 0;
  try {
    if (isIdle && !(await readdir(folder)).some(isLeftover)) return;
    await mkdir(folder, { recursive: true });
    const release = await lock(folder, 10_000, systemDisk);
    const staging = join(folder, stagingPrefix + randomBytes(8).toString('hex'));
    try {
      for (const name of (await readdir(folder)).filter((entry) => stagingFolder.test(entry)))
        await rm(join(folder, name), { recursive: true, force: true });
      await stage(staging, [
        ...creates.map(({ text }) => text),
        ...edits.map(({ after }) => after),
      ]);
      await place(folder, staging, { creates, edits });
    } finally {
      await rm(staging, { recursive: true, force: true });
      release();
    }
  } catch (error) {
    throw toOutputError(error, folder);
  }
}

async function place(
  folder: string,
  staging: string,
  { creates, edits }: UserFileChanges,
): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const [index, { path }] of creates.entries()) {
      const target = await targetOf(folder, path, undo);
      await give(join(staging, String(index)), target);
      undo.push(() => unlink(target));
    }
    for (const [index, edit] of edits.entries()) {
      const staged = join(staging, String(creates.length + index));
      const target = join(folder, edit.path);
      await exchange(staged, target, edit.before);
      undo.push(() => rename(keptOf(staged), target));
    }
    const parents = [...creates, ...edits].map(({ path }) => dirname(join(folder, path)));
    for (const parent of new Set(parents)) systemDisk.syncFolder(parent);
  } catch (error) {
    for (const step of undo.toReversed()) await step().catch(() => undefined);
    throw error;
  }
}

/**
 * Moves a staged file to its path.
 * @throws OutputError `occupied` if the path exists
 */
async function give(staged: string, target: string): Promise<void> {
  try {
    await link(staged, target);
  } catch (error) {
    const code = systemErrorCode(error) ?? '';
    if (code === 'EEXIST' || (withoutLinks.has(code) && existsSync(target)))
      throw refusal('occupied', target, 'it already exists');
    if (!withoutLinks.has(code)) throw error;
    await rename(staged, target);
  }
}

/** Error codes of file systems without hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Replaces a file by its staged text, and keeps the file that it had before in the staging folder.
 * @throws OutputError `not-writable` if the file is not the text that the edit was made from, or is read-only
 */
async function exchange(staged: string, target: string, before: string): Promise<void> {
  const bytes = await readFile(target);
  if (!bytes.equals(Buffer.from(before)))
    throw refusal('not-writable', target, 'it was changed since it was read');
  const { mode } = await stat(target);
  if ((mode & 0o222) === 0) throw refusal('not-writable', target, 'it is read-only');
  await copyFile(target, keptOf(staged));
  await chmod(staged, mode);
  await rename(staged, target);
}

function refusal(code: 'occupied' | 'not-writable', target: string, reason: string): OutputError {
  return new OutputError(code, `Cannot write ${target}: ${reason}. Nothing was written.`);
}

/** Returns the path where the text before an edit is kept, until all changes are written. */
function keptOf(staged: string): string {
  return `${staged}.before`;
}

async function stage(staging: string, texts: readonly string[]): Promise<void> {
  await mkdir(staging);
  for (const [index, text] of texts.entries())
    systemDisk.writeFile(join(staging, String(index)), text, { flush: true });
  systemDisk.syncFolder(staging);
}

/**
 * Creates the parent folder of a file and returns the file's path.
 * @param undo gets the removal of created folders
 * @throws OutputError `escaping-path` if a symbolic link leads out of the folder
 */
async function targetOf(
  folder: string,
  path: string,
  undo: (() => Promise<void>)[],
): Promise<string> {
  const parent = join(folder, posix.dirname(path));
  assertWithin(parent, folder);
  const created = await mkdir(parent, { recursive: true });
  if (created !== undefined) undo.push(() => removeEmpty(parent, created));
  return join(parent, posix.basename(path));
}

/** Removes the empty folders from one up to another above it, which was created for it. */
async function removeEmpty(folder: string, created: string): Promise<void> {
  const last = resolve(created);
  for (let at = resolve(folder); at.length >= last.length; at = dirname(at)) await rmdir(at);
}

/** Returns whether a name is left over from a killed process: its staging folder or its lock. */
function isLeftover(name: string): boolean {
  return stagingFolder.test(name) || name.startsWith(lockPrefix);
}
