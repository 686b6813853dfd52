import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Disk, ifPresent } from './disk.ts';
import { type Journal, readJournal, removeJournal, writeJournal } from './journal.ts';
import { OutputError, systemErrorCode, toOutputError } from '../emit/output-error.ts';
import { stagingPrefix } from '../emit/output-path.ts';
import type { Plan } from './plan.ts';

/**
 * Applies a plan so that the next run can recover from a kill at any moment. The steps are:
 *
 * 1. Writes all new files to a staging folder.
 * 2. Writes the journal.
 * 3. Moves the files: old ones into the staging folder, new ones into place.
 * 4. Removes the journal and the staging folder.
 *
 * Old files are kept until step 4, so that the old tree can be restored, at once if the system refuses a step, or by the
 * next run. The new files are not synced to the disk: for thousands of files that would take longer than all other
 * steps. A power failure can therefore damage them, and the next run detects that by their hashes. The caller holds the
 * lock of the folder.
 * @throws OutputError `interrupted` if the old tree cannot be restored. With any other code, such as `not-writable`,
 * `no-space` or `escaping-path`, the old tree is in place.
 */
export function commit(folder: string, plan: Plan, disk: Disk): void {
  const name = `${stagingPrefix}${randomBytes(8).toString('hex')}`;
  const staging = join(folder, name);
  const journal = { removes: plan.removes, writes: plan.writes.map(({ path }) => path) };
  try {
    stage(staging, plan, disk);
    writeJournal(staging, journal, disk);
    disk.syncFolder(staging);
    disk.syncFolder(folder);
  } catch (error) {
    attempt(() => disk.rm(staging, { recursive: true, force: true }));
    throw toOutputError(error, folder);
  }
  const staged = { folder, staging, disk };
  const refused = attempt(() => place(staged, journal));
  if (refused !== undefined) undo(staged, journal, refused);
  removeJournal(staging, disk);
  disk.rm(staging, { recursive: true, force: true });
  if (refused !== undefined) throw toOutputError(refused, folder);
}

/**
 * Recovers from a killed run: restores the old tree if its journal was written, and removes the staging folder. The
 * caller holds the lock of the folder.
 * @throws OutputError `interrupted` if the old tree cannot be restored, or the journal cannot be read
 */
export function recoverStaging(folder: string, name: string, disk: Disk): void {
  const staging = join(folder, name);
  const journal = readJournal(staging, disk);
  if (journal !== undefined) {
    undo({ folder, staging, disk }, journal);
    removeJournal(staging, disk);
  }
  disk.rm(staging, { recursive: true, force: true });
}

function stage(staging: string, plan: Plan, disk: Disk): void {
  disk.mkdir(staging);
  disk.mkdir(join(staging, 'new'));
  disk.mkdir(join(staging, 'old'));
  const parents = new Set(plan.writes.map(({ path }) => dirname(path)));
  for (const parent of parents) disk.mkdir(join(staging, 'new', parent), { recursive: true });
  for (const { path, text } of plan.writes) disk.writeFile(join(staging, 'new', path), text);
}

/** Runs a step, and returns the error that it throws. */
function attempt(step: () => void): unknown {
  try {
    step();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A commit whose new files and journal are in its staging folder. */
interface StagedCommit {
  readonly folder: string;
  readonly staging: string;
  readonly disk: Disk;
}

/** Moves all files of a journal into place. */
function place(staged: StagedCommit, { removes, writes }: Journal): void {
  const { folder, staging, disk } = staged;
  for (const path of removes) {
    if (assertNoLinks(folder, path, disk)) setAside(staged, path);
  }
  prune(folder, removes, disk);
  for (const paths of Map.groupBy(writes, (path) => dirname(path)).values()) {
    const [first] = paths;
    if (first !== undefined) makeParents(folder, first, disk);
    for (const path of paths) {
      setAside(staged, path);
      disk.rename(join(staging, 'new', path), join(folder, path));
    }
  }
  for (const parent of new Set([...removes, ...writes].map((path) => dirname(join(folder, path)))))
    ifPresent(() => disk.syncFolder(parent));
}

/**
 * Restores the old tree. Each step looks on the disk whether it is already done, so that it can be repeated.
 * @param refused why the new tree could not be completed; omitted for a run that was killed
 * @throws OutputError `interrupted`
 */
function undo(staged: StagedCommit, journal: Journal, refused?: unknown): void {
  const cause = attempt(() => restore(staged, journal));
  if (cause === undefined) return;
  throw new OutputError(
    'interrupted',
    `${staged.folder} is incomplete: the previous files could not be restored. Correct the problem of the file system, then run \`countersign generate\` again.`,
    { cause: new AggregateError(refused === undefined ? [cause] : [refused, cause]) },
  );
}

function restore({ folder, staging, disk }: StagedCommit, { removes, writes }: Journal): void {
  for (const path of writes.toReversed()) {
    if (exists(join(staging, 'new', path), disk)) continue;
    ifPresent(() => disk.rename(join(folder, path), join(staging, 'new', path)));
  }
  prune(folder, writes, disk);
  for (const path of [...removes, ...writes]) {
    const kept = join(staging, 'old', path);
    if (!exists(kept, disk)) continue;
    makeParents(folder, path, disk);
    disk.rename(kept, join(folder, path));
  }
}

/** Moves the file at a path to the staging folder, which keeps it until the commit ends. */
function setAside({ folder, staging, disk }: StagedCommit, path: string): void {
  const target = join(folder, path);
  const stats = ifPresent(() => disk.lstat(target));
  if (stats === undefined) return;
  if (stats.isDirectory()) {
    throw new OutputError(
      'occupied',
      `${target} is a folder, but a generated file has this path. Move the folder away.`,
    );
  }
  const kept = join(staging, 'old', path);
  disk.mkdir(dirname(kept), { recursive: true });
  disk.rename(target, kept);
}

function makeParents(folder: string, path: string, disk: Disk): void {
  assertNoLinks(folder, path, disk);
  disk.mkdir(dirname(join(folder, path)), { recursive: true });
}

/**
 * Returns whether all parent folders of a path exist.
 * @throws OutputError `escaping-path` if one of them is a symbolic link, which can appear at any time
 */
function assertNoLinks(folder: string, path: string, disk: Disk): boolean {
  let at = folder;
  for (const name of path.split('/').slice(0, -1)) {
    at = join(at, name);
    const stats = ifPresent(() => disk.lstat(at));
    if (stats === undefined) return false;
    if (stats.isSymbolicLink()) throw linkError(at);
  }
  return true;
}

/** Creates the error for a symbolic link where the output has a folder. */
export function linkError(path: string): OutputError {
  return new OutputError(
    'escaping-path',
    `${path} is a symbolic link, and files are not written through links. Remove the link.`,
  );
}

/** Removes the folders that have become empty, the deepest first. */
function prune(folder: string, paths: readonly string[], disk: Disk): void {
  const parents = new Set<string>();
  for (const path of paths) {
    for (let at = dirname(path); at !== '.'; at = dirname(at)) parents.add(at);
  }
  for (const parent of [...parents].toSorted((a, b) => b.length - a.length)) {
    const error = attempt(() => disk.rmdir(join(folder, parent)));
    if (error !== undefined && !staysInPlace.has(systemErrorCode(error) ?? '')) throw error;
  }
}

const staysInPlace: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR']);

function exists(path: string, disk: Disk): boolean {
  return ifPresent(() => disk.lstat(path)) !== undefined;
}
