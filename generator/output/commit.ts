import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Disk, ifPresent } from './disk.ts';
import { type Journal, readJournal, removeJournal, writeJournal } from './journal.ts';
import { contentHash } from '../execution/content-hash.ts';
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
 * Old files are kept until step 4, so that the old tree can be restored if the system refuses a step. The new files are
 * not synced to the disk: for thousands of files that would take longer than all other steps. A power failure can
 * therefore damage them, and the next run detects that by their hashes. The caller holds the lock of the folder.
 * @throws OutputError `interrupted` if neither tree can be completed. With any other code, such as `not-writable`,
 * `no-space` or `escaping-path`, the old tree is in place.
 */
export function commit(folder: string, plan: Plan, disk: Disk): void {
  const name = `${stagingPrefix}${randomBytes(8).toString('hex')}`;
  const staging = join(folder, name);
  try {
    stage(staging, plan, disk);
    const writes = plan.writes.map(({ path, hash }) => ({ path, sha256: hash }));
    writeJournal(staging, { removes: plan.removes, writes }, disk);
    disk.syncFolder(staging);
    disk.syncFolder(folder);
  } catch (error) {
    attempt(() => disk.rm(staging, { recursive: true, force: true }));
    throw toOutputError(error, folder);
  }
  const refused = settle(folder, name, disk, 'just-staged');
  if (refused !== undefined) throw toOutputError(refused, folder);
}

/**
 * Recovers from a killed run. Finishes the commit if its journal was written, or undoes it if the system refuses.
 * Without a journal, only removes the staging folder. The caller holds the lock of the folder.
 * @throws OutputError `interrupted` if neither is possible, or the journal cannot be read
 */
export function recoverStaging(folder: string, staging: string, disk: Disk): void {
  settle(folder, staging, disk, 'found');
}

function stage(staging: string, plan: Plan, disk: Disk): void {
  disk.mkdir(staging);
  disk.mkdir(join(staging, 'new'));
  disk.mkdir(join(staging, 'old'));
  const parents = new Set(plan.writes.map(({ path }) => dirname(path)));
  for (const parent of parents) disk.mkdir(join(staging, 'new', parent), { recursive: true });
  for (const { path, text } of plan.writes) disk.writeFile(join(staging, 'new', path), text);
}

/**
 * Whether this run created the staging folder. If it was found, its commit may be partly done and its files damaged.
 */
type StagingOrigin = 'just-staged' | 'found';

/**
 * Finishes or undoes a commit, so that the folder has one complete tree and no staging folder. Returns the error that
 * prevented the new tree, if any.
 */
function settle(folder: string, name: string, disk: Disk, knowledge: StagingOrigin): unknown {
  const staging = join(folder, name);
  const journal = readJournal(staging, disk);
  let refused: unknown;
  if (journal !== undefined) {
    refused = attempt(() => finish({ folder, staging, disk, knowledge }, journal));
    const cause = refused && attempt(() => undo(folder, staging, journal, disk));
    if (cause !== undefined) {
      throw new OutputError(
        'interrupted',
        `${folder} is incomplete: writing it could neither be finished nor undone. Correct what the file system refuses, then run \`countersign generate\` again.`,
        { cause: new AggregateError([refused, cause]) },
      );
    }
    removeJournal(staging, disk);
  }
  disk.rm(staging, { recursive: true, force: true });
  return refused;
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

/**
 * Moves all files of a journal into place. In a staging folder that was found, each step checks on disk whether it is
 * already done, so that recovery can be repeated.
 */
function finish(staged: StagedCommit, journal: Journal): void {
  const { folder, disk } = staged;
  for (const path of journal.removes) {
    if (assertNoLinks(folder, path, disk)) setAside(staged, path);
  }
  prune(folder, journal.removes, disk);
  const byParent = Map.groupBy(journal.writes, ({ path }) => dirname(path));
  for (const writes of byParent.values()) {
    const [first] = writes;
    if (first !== undefined) makeParents(folder, first.path, disk);
    for (const write of writes) putInPlace(staged, write);
  }
  const touched = [...journal.removes, ...journal.writes.map(({ path }) => path)];
  for (const parent of new Set(touched.map((path) => dirname(join(folder, path)))))
    ifPresent(() => disk.syncFolder(parent));
}

function undo(folder: string, staging: string, journal: Journal, disk: Disk): void {
  const writes = journal.writes.map(({ path }) => path);
  for (const path of writes.toReversed()) {
    if (exists(join(staging, 'new', path), disk)) continue;
    ifPresent(() => disk.rename(join(folder, path), join(staging, 'new', path)));
  }
  prune(folder, writes, disk);
  for (const path of [...journal.removes, ...writes]) {
    const kept = join(staging, 'old', path);
    if (!exists(kept, disk)) continue;
    makeParents(folder, path, disk);
    disk.rename(kept, join(folder, path));
  }
}

interface StagedCommit {
  readonly folder: string;
  readonly staging: string;
  readonly disk: Disk;
  readonly knowledge: StagingOrigin;
}

/** Moves a staged file to its path. The parent folder exists. */
function putInPlace(staged: StagedCommit, { path, sha256 }: Journal['writes'][number]): void {
  const { folder, staging, disk, knowledge } = staged;
  const source = join(staging, 'new', path);
  if (knowledge === 'found') {
    const content = ifPresent(() => disk.readFile(source));
    if (content === undefined) return;
    if (contentHash(content) !== sha256) {
      throw new OutputError(
        'interrupted',
        `The staged file for ${path} is damaged. Run \`countersign generate\` again.`,
      );
    }
  }
  setAside(staged, path);
  disk.rename(source, join(folder, path));
}

/**
 * Moves the file at a path to the staging folder, which keeps it until the commit ends. A file that is already kept
 * there is not replaced.
 */
function setAside({ folder, staging, disk, knowledge }: StagedCommit, path: string): void {
  const kept = join(staging, 'old', path);
  if (knowledge === 'found' && exists(kept, disk)) return;
  const target = join(folder, path);
  const stats = ifPresent(() => disk.lstat(target));
  if (stats === undefined) return;
  if (stats.isDirectory()) {
    throw new OutputError(
      'occupied',
      `${target} is a folder, but a generated file has this path. Move the folder away.`,
    );
  }
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
