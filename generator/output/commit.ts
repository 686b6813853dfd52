import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { concurrently } from '../execution/concurrently.ts';
import type { Disk } from './disk.ts';
import { isAbsent } from './inspect.ts';
import { type Journal, readJournal, removeJournal, writeJournal } from './journal.ts';
import { contentHash } from '../execution/content-hash.ts';
import { OutputError, systemErrorCode, toOutputError } from '../emit/output-error.ts';
import { stagingPrefix } from '../emit/output-path.ts';
import type { Plan } from './plan.ts';
import { syncFolder, writeNew } from './sync.ts';

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
export async function commit(folder: string, plan: Plan, disk: Disk): Promise<void> {
  const name = `${stagingPrefix}${randomBytes(8).toString('hex')}`;
  const staging = join(folder, name);
  try {
    await stage(staging, plan, disk);
    await writeJournal(staging, toJournal(plan), disk);
    await syncFolder(staging, disk);
    await syncFolder(folder, disk);
  } catch (error) {
    await disk.rm(staging, { recursive: true, force: true }).catch(() => undefined);
    throw toOutputError(error, folder);
  }
  const refused = await settle(folder, name, disk, 'just-staged');
  if (refused !== undefined) throw toOutputError(refused, folder);
}

/**
 * Recovers from a killed run. Finishes the commit if its journal was written, or undoes it if the system refuses.
 * Without a journal, only removes the staging folder. The caller holds the lock of the folder.
 * @throws OutputError `interrupted` if neither is possible, or the journal cannot be read
 */
export async function recoverStaging(folder: string, staging: string, disk: Disk): Promise<void> {
  await settle(folder, staging, disk, 'found');
}

async function stage(staging: string, plan: Plan, disk: Disk): Promise<void> {
  await disk.mkdir(staging);
  await disk.mkdir(join(staging, 'new'));
  await disk.mkdir(join(staging, 'old'));
  const parents = new Set(plan.writes.map(({ path }) => dirname(path)));
  for (const parent of parents) await disk.mkdir(join(staging, 'new', parent), { recursive: true });
  await concurrently(plan.writes, ({ path, text }) =>
    writeNew(join(staging, 'new', path), text, disk),
  );
}

function toJournal(plan: Plan): Journal {
  return {
    removes: plan.removes,
    writes: plan.writes.map(({ path, hash }) => ({ path, sha256: hash })),
  };
}

/**
 * Whether this run created the staging folder. If it was found, its commit may be partly done and its files damaged.
 */
type StagingOrigin = 'just-staged' | 'found';

/**
 * Finishes or undoes a commit, so that the folder has one complete tree and no staging folder. Returns the error that
 * prevented the new tree, if any.
 */
async function settle(
  folder: string,
  name: string,
  disk: Disk,
  knowledge: StagingOrigin,
): Promise<unknown> {
  const staging = join(folder, name);
  const journal = await readJournal(staging, disk);
  let refused: unknown;
  if (journal !== undefined) {
    try {
      await finish({ folder, staging, disk, knowledge }, journal);
    } catch (error) {
      refused = error;
      await undo(folder, staging, journal, disk).catch((cause: unknown) => {
        throw new OutputError(
          'interrupted',
          `${folder} is incomplete: writing it could neither be finished nor undone. Correct what the file system refuses, then run \`countersign generate\` again.`,
          { cause: new AggregateError([error, cause]) },
        );
      });
    }
    await removeJournal(staging, disk);
  }
  await disk.rm(staging, { recursive: true, force: true });
  return refused;
}

/**
 * Moves all files of a journal into place. In a staging folder that was found, each step checks on disk whether it is
 * already done, so that recovery can be repeated.
 */
async function finish(staged: StagedCommit, journal: Journal): Promise<void> {
  const { folder, disk } = staged;
  for (const path of journal.removes) {
    if (await assertNoLinks(folder, path, disk)) await setAside(staged, path);
  }
  await prune(folder, journal.removes, disk);
  const byParent = Map.groupBy(journal.writes, ({ path }) => dirname(path));
  for (const writes of byParent.values()) {
    const [first] = writes;
    if (first !== undefined) await makeParents(folder, first.path, disk);
    await concurrently(writes, (write) => putInPlace(staged, write));
  }
  const touched = [...journal.removes, ...journal.writes.map(({ path }) => path)];
  for (const parent of new Set(touched.map((path) => dirname(join(folder, path))))) {
    await syncFolder(parent, disk).catch(ignoreAbsent);
  }
}

async function undo(folder: string, staging: string, journal: Journal, disk: Disk): Promise<void> {
  const writes = journal.writes.map(({ path }) => path);
  for (const path of writes.toReversed()) {
    if (await exists(join(staging, 'new', path), disk)) continue;
    await disk.rename(join(folder, path), join(staging, 'new', path)).catch(ignoreAbsent);
  }
  await prune(folder, writes, disk);
  for (const path of [...journal.removes, ...writes]) {
    const kept = join(staging, 'old', path);
    if (!(await exists(kept, disk))) continue;
    await makeParents(folder, path, disk);
    await disk.rename(kept, join(folder, path));
  }
}

interface StagedCommit {
  readonly folder: string;
  readonly staging: string;
  readonly disk: Disk;
  readonly knowledge: StagingOrigin;
}

/** Moves a staged file to its path. The parent folder exists. */
async function putInPlace(
  staged: StagedCommit,
  { path, sha256 }: Journal['writes'][number],
): Promise<void> {
  const { folder, staging, disk, knowledge } = staged;
  const source = join(staging, 'new', path);
  if (knowledge === 'found') {
    const content = await disk.readFile(source).catch(ignoreAbsent);
    if (content === undefined) return;
    if (contentHash(content) !== sha256) {
      throw new OutputError(
        'interrupted',
        `The staged file for ${path} is damaged. Run \`countersign generate\` again.`,
      );
    }
  }
  await setAside(staged, path);
  await disk.rename(source, join(folder, path));
}

/**
 * Moves the file at a path to the staging folder, which keeps it until the commit ends. A file that is already kept
 * there is not replaced.
 */
async function setAside(staged: StagedCommit, path: string): Promise<void> {
  const { folder, staging, disk, knowledge } = staged;
  const kept = join(staging, 'old', path);
  if (knowledge === 'found' && (await exists(kept, disk))) return;
  const target = join(folder, path);
  const stats = await disk.lstat(target).catch(ignoreAbsent);
  if (stats === undefined) return;
  if (stats.isDirectory()) {
    throw new OutputError(
      'occupied',
      `${target} is a folder, but a generated file has this path. Move the folder away.`,
    );
  }
  await disk.mkdir(dirname(kept), { recursive: true });
  await disk.rename(target, kept);
}

async function makeParents(folder: string, path: string, disk: Disk): Promise<void> {
  await assertNoLinks(folder, path, disk);
  await disk.mkdir(dirname(join(folder, path)), { recursive: true });
}

/**
 * Returns whether all parent folders of a path exist.
 * @throws OutputError `escaping-path` if one of them is a symbolic link, which can appear at any time
 */
async function assertNoLinks(folder: string, path: string, disk: Disk): Promise<boolean> {
  let at = folder;
  for (const name of path.split('/').slice(0, -1)) {
    at = join(at, name);
    const stats = await disk.lstat(at).catch(ignoreAbsent);
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
async function prune(folder: string, paths: readonly string[], disk: Disk): Promise<void> {
  const parents = new Set<string>();
  for (const path of paths) {
    for (let at = dirname(path); at !== '.'; at = dirname(at)) parents.add(at);
  }
  for (const parent of [...parents].toSorted((a, b) => b.length - a.length)) {
    try {
      await disk.rmdir(join(folder, parent));
    } catch (error) {
      if (!staysInPlace.has(systemErrorCode(error) ?? '')) throw error;
    }
  }
}

const staysInPlace: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR']);

async function exists(path: string, disk: Disk): Promise<boolean> {
  return (await disk.lstat(path).catch(ignoreAbsent)) !== undefined;
}

function ignoreAbsent(error: unknown): undefined {
  if (isAbsent(error)) return undefined;
  throw error;
}
