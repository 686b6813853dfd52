import { randomBytes } from 'node:crypto';
import {
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { systemDisk } from '../../output/disk.ts';
import { lock } from '../../output/lock.ts';
import { assertOutputPaths, lockPrefix } from '../../emit/output-path.ts';
import { systemErrorCode, toOutputError } from '../../emit/output-error.ts';
import { syncFile, syncFolder } from '../../output/sync.ts';
import type { Edit, NewFile } from './grow.ts';
import { isThere } from './read-application.ts';
import { ScaffoldError, wholeFile } from './scaffold-error.ts';

/** What is to be written into the folder of an application. */
export interface ApplicationChanges {
  readonly creates: readonly NewFile[];
  readonly edits: readonly Edit[];
}

const stagingPrefix = '.countersign-';
const stagingFolder = /^\.countersign-[0-9a-f]{16}$/u;

/**
 * Writes new files, in their order, and then edits. Everything is on the disk before the first file gets its name, so
 * that a kill leaves each file old or new; new files without their registration do no harm, and the next run goes on
 * from there. Nothing is overwritten but the text that an edit was made from. Where a step is refused, what was done
 * before is undone.
 * @throws ScaffoldError `occupied`, `not-writable`; OutputError where the system refuses
 */
export async function writeApplication(
  folder: string,
  { creates, edits }: ApplicationChanges,
): Promise<void> {
  assertOutputPaths(creates.map(({ path }) => path));
  const isIdle = creates.length + edits.length === 0;
  try {
    if (isIdle && !(await readdir(folder)).some(isLeftover)) return;
    await mkdir(folder, { recursive: true });
    const release = await lock(folder, 10_000, systemDisk);
    const staging = join(folder, stagingPrefix + randomBytes(8).toString('hex'));
    try {
      for (const name of (await readdir(folder)).filter((found) => stagingFolder.test(found)))
        await rm(join(folder, name), { recursive: true, force: true });
      await stage(staging, [
        ...creates.map(({ text }) => text),
        ...edits.map(({ after }) => after),
      ]);
      await place(folder, staging, { creates, edits });
    } finally {
      await rm(staging, { recursive: true, force: true });
      await release();
    }
  } catch (error) {
    throw error instanceof ScaffoldError ? error : toOutputError(error, folder);
  }
}

async function place(
  folder: string,
  staging: string,
  { creates, edits }: ApplicationChanges,
): Promise<void> {
  const done: string[] = [];
  try {
    for (const [index, { path }] of creates.entries()) {
      const target = await targetOf(folder, path);
      await give(join(staging, String(index)), target, path);
      done.push(target);
    }
    for (const [index, edit] of edits.entries()) {
      const staged = join(staging, String(creates.length + index));
      await exchange(staged, join(folder, edit.path), edit);
    }
  } catch (error) {
    for (const target of done) await unlink(target).catch(() => undefined);
    throw error;
  }
  const parents = [...creates, ...edits].map(({ path }) => dirname(join(folder, path)));
  for (const parent of new Set(parents)) await syncFolder(parent, systemDisk);
}

/** Gives a staged file its name, which nothing else may have. */
async function give(staged: string, target: string, path: string): Promise<void> {
  try {
    await link(staged, target);
  } catch (error) {
    const code = systemErrorCode(error) ?? '';
    if (code === 'EEXIST' || (withoutLinks.has(code) && (await isThere(target))))
      throw new ScaffoldError('occupied', { message: 'is there already', place: wholeFile(path) });
    if (!withoutLinks.has(code)) throw error;
    await rename(staged, target);
  }
}

/** What file systems say that have no second names for files. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Puts a staged file in the place of the text that it was made from. */
async function exchange(staged: string, target: string, { path, before }: Edit): Promise<void> {
  const bytes = await readFile(target);
  if (!bytes.equals(Buffer.from(before)))
    throw new ScaffoldError('not-writable', {
      message: 'was changed in the meantime',
      place: wholeFile(path),
    });
  await chmod(staged, (await stat(target)).mode);
  await rename(staged, target);
}

async function stage(staging: string, texts: readonly string[]): Promise<void> {
  await mkdir(staging);
  for (const [index, text] of texts.entries())
    await syncFile(join(staging, String(index)), text, systemDisk);
  await syncFolder(staging, systemDisk);
}

/** Where a file goes; no link may lead it out of the folder. */
async function targetOf(folder: string, path: string): Promise<string> {
  const parent = join(folder, posix.dirname(path));
  await mkdir(parent, { recursive: true });
  const [root, real] = await Promise.all([realpath(folder), realpath(parent)]);
  if (real !== root && !real.startsWith(root + sep))
    throw new ScaffoldError('not-writable', {
      message: 'would be written through a link',
      place: wholeFile(path),
    });
  return join(real, posix.basename(path));
}

/** What a killed run leaves: its staging folder, its claim on the folder, or both. */
function isLeftover(name: string): boolean {
  return stagingFolder.test(name) || name.startsWith(lockPrefix);
}
