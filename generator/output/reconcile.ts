import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutputFile } from '../targets/target.ts';
import type { Change } from './change.ts';
import { commit, linkError, recoverStaging } from './commit.ts';
import { type Disk, systemDisk } from './disk.ts';
import { type Inspection, inspect, readManifest, stagingFolders } from './inspect.ts';
import { held, lock, readClaims, removeDeadClaims } from './lock.ts';
import { OutputError, toOutputError } from '../emit/output-error.ts';
import { assertOutputPaths } from '../emit/output-path.ts';
import type { PackageVersions } from './package-versions.ts';
import type { VersionedPackages } from './versioned-packages.ts';
import { manifestOf, type Plan, planChanges } from './plan.ts';
import { assertWithin } from './within.ts';

export interface ReconcileOptions {
  /** The output folder, absolute. It may not exist yet. */
  readonly folder: string;
  /** `check` compares and writes nothing. */
  readonly mode: 'write' | 'check';
  /** A folder that must contain the output folder after symbolic links are resolved. */
  readonly within?: string;
  /** How long to wait for another run that writes the same folder; default 5,000 ms. */
  readonly waitMs?: number;
  readonly disk?: Disk;
  /** The versions that the files were generated with, if they were read from the folder. */
  readonly versions?: PackageVersions | undefined;
}

/** How long a run waits for another one by default. */
const defaultWaitMs = 5000;

/**
 * Makes an output folder contain exactly the given files, or with `check` returns how it differs. Writes only what
 * changed, and removes only files that the manifest lists. A file that no run wrote is an `orphan`, which is reported
 * and not touched. After a kill at any moment, the folder has the old tree, the new tree, or the remains of an
 * interrupted commit. In the last case, `check` throws `interrupted` until the next write recovers the folder.
 * @throws OutputError also for errors of the file system. Unless its code is `interrupted`, the tree on disk is the one
 * from before.
 */
export async function reconcile(
  files: readonly OutputFile[],
  options: ReconcileOptions,
): Promise<readonly Change[]> {
  const { folder, mode, within, waitMs = defaultWaitMs, disk = systemDisk, versions } = options;
  const packages = versions?.packages;
  assertOutputPaths(files.map(({ path }) => path));
  try {
    if (within !== undefined) assertWithin(folder, within, disk);
    if (mode === 'check') {
      const inspection = await inspectComplete(folder, waitMs, disk, packages);
      return planChanges(files, inspection, packages).changes;
    }

    // If the manifest differs, it is rewritten in any case, and `write` plans the changes under the lock.
    if (readManifest(folder, disk) === manifestOf(files, packages)) {
      const before = inspect(folder, disk, packages);
      const plan = planChanges(files, before, packages);
      if (before.staging.length === 0 && !isWork(plan)) {
        removeDeadClaims(folder, disk);
        return plan.changes;
      }
    }
    return await write(files, folder, waitMs, disk, versions);
  } catch (error) {
    throw toOutputError(error, folder);
  }
}

/**
 * Inspects an output folder at a moment when no run writes to it. Waits for a run in progress.
 * @param waitMs how long to wait for another run
 * @param packages the packages whose versions are on disk
 * @throws OutputError `interrupted` if a killed run left the folder incomplete, `locked` if another run does not end in
 * time
 */
export async function inspectComplete(
  folder: string,
  waitMs: number = defaultWaitMs,
  disk: Disk = systemDisk,
  packages?: VersionedPackages,
): Promise<Inspection> {
  const until = Date.now() + waitMs;
  for (;;) {
    const inspection = inspect(folder, disk, packages);
    const staging = stagingFolders(folder, disk);
    const manifest = readManifest(folder, disk);
    const still = inspection.staging.length === 0 && staging.length === 0;
    if (still && manifest === inspection.manifestText) return inspection;
    const [claim] = staging.length === 0 ? [] : readClaims(folder, disk).live;
    if (staging.length > 0 && claim === undefined) {
      // The staging run may have ended normally between the two listings.
      if (stagingFolders(folder, disk).length > 0) throw interrupted(folder);
    } else if (Date.now() >= until) {
      throw held(claim ?? '', folder);
    }
    await delay(20 + Math.random() * 60);
  }
}

/**
 * Recovers an output folder that a killed run left incomplete. Changes no other folder, except for removing the claims
 * of killed processes.
 * @throws OutputError also for errors of the file system
 */
export async function recover(options: Omit<ReconcileOptions, 'mode'>): Promise<void> {
  const { folder, within, waitMs = defaultWaitMs, disk = systemDisk } = options;
  try {
    if (within !== undefined) assertWithin(folder, within, disk);
    removeDeadClaims(folder, disk);
    if (stagingFolders(folder, disk).length === 0) return;
    const release = await lock(folder, waitMs, disk);
    try {
      recoverAll(folder, disk);
    } finally {
      release();
    }
  } catch (error) {
    throw toOutputError(error, folder);
  }
}

async function write(
  files: readonly OutputFile[],
  folder: string,
  waitMs: number,
  disk: Disk,
  versions: PackageVersions | undefined,
): Promise<readonly Change[]> {
  disk.mkdir(folder, { recursive: true });
  const release = await lock(folder, waitMs, disk);
  try {
    recoverAll(folder, disk);
    const inspection = inspect(folder, disk, versions?.packages);
    const plan = planChanges(files, inspection, versions?.packages);
    assertFeasible(plan, folder);
    if (versions !== undefined) assertVersionsKept(plan, inspection, versions, folder);
    if (isWork(plan)) commit(folder, plan, disk);
    return plan.changes;
  } finally {
    release();
  }
}

function recoverAll(folder: string, disk: Disk): void {
  for (const staging of stagingFolders(folder, disk)) recoverStaging(folder, staging, disk);
}

function isWork(plan: Plan): boolean {
  return plan.writes.length + plan.removes.length + plan.occupied.length + plan.links.length > 0;
}

/** @throws OutputError `changed` if a write would undo a version that another process wrote during this run */
function assertVersionsKept(
  { writes }: Plan,
  { contents }: Inspection,
  { packages, hashes }: PackageVersions,
  folder: string,
): void {
  const changed = writes.find(
    ({ path }) => packages.targets.has(path) && contents.get(path) !== hashes.get(path),
  );
  if (changed === undefined) return;
  throw new OutputError(
    'changed',
    `Nothing was written: another process has changed ${join(folder, changed.path)} during the run. Run the command again.`,
  );
}

function assertFeasible(plan: Plan, folder: string): void {
  const [link] = plan.links;
  if (link !== undefined) throw linkError(join(folder, link));
  if (plan.occupied.length === 0) return;
  const shown = plan.occupied.slice(0, 5).map((path) => JSON.stringify(path));
  const more = plan.occupied.length - shown.length;
  throw new OutputError(
    'occupied',
    `Nothing was written: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''} in ${folder} would be ` +
      'overwritten, but the manifest of the folder does not list them. Move them away. If they are generated, delete ' +
      'them: a merge of two branches can leave such files.',
  );
}

function interrupted(folder: string): OutputError {
  return new OutputError(
    'interrupted',
    `${folder} was left incomplete by an interrupted run. Run \`countersign generate\` to recover it.`,
  );
}
