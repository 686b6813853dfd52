import { dirname, join, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutputFile } from '../targets/target.ts';
import type { Change } from './change.ts';
import { commit, linkError, recover } from './commit.ts';
import { type Disk, systemDisk } from './disk.ts';
import { type Inspection, inspect, isAbsent, readManifest, stagingFolders } from './inspect.ts';
import { held, lock, readClaims, removeDeadClaims } from './lock.ts';
import { OutputError, toOutputError } from '../emit/output-error.ts';
import { assertOutputPaths } from '../emit/output-path.ts';
import { manifestOf, type Plan, planChanges } from './plan.ts';

export interface ReconcileOptions {
  /** The output folder, absolute. It may not exist yet. */
  readonly folder: string;
  /** `check` compares and writes nothing. */
  readonly mode: 'write' | 'check';
  /** A folder that the output folder has to stay in after symbolic links are resolved. */
  readonly within?: string;
  /** Milliseconds to wait for another run that writes the same folder; default 5,000. */
  readonly wait?: number;
  readonly disk?: Disk;
}

/** Milliseconds that a run waits for another one. */
const patience = 5000;

/**
 * Makes an output folder hold exactly the files given, or tells how it differs. Writes only what changed and removes
 * only what its manifest lists; a file that no run wrote is an `orphan`, which is reported and left alone.
 * After a kill at any moment the folder holds the old tree or the new one, or refuses to be read as `interrupted`
 * until the next write mends it.
 * @throws OutputError whatever the system answers; the tree on disk then is the one from before
 */
export async function reconcile(
  files: readonly OutputFile[],
  options: ReconcileOptions,
): Promise<readonly Change[]> {
  const { folder, mode, within, wait = patience, disk = systemDisk } = options;
  assertOutputPaths(files.map(({ path }) => path));
  try {
    if (within !== undefined) await assertWithin(folder, within, disk);
    for (const { path } of files) assertResolved(folder, path);
    if (mode === 'check') return planChanges(files, await inspectWhole(folder, wait, disk)).changes;

    // Another manifest is to be written in any case: what else there is to do is looked at behind the lock.
    if ((await readManifest(folder, disk)) === manifestOf(files)) {
      const before = await inspect(folder, disk);
      const plan = planChanges(files, before);
      if (before.staging.length === 0 && !isWork(plan)) {
        await removeDeadClaims(folder, disk);
        return plan.changes;
      }
    }
    return await write(files, folder, wait, disk);
  } catch (error) {
    throw toOutputError(error, folder);
  }
}

/**
 * Reads an output folder that nobody is writing, and that no killed run has left half-written.
 * @throws OutputError `interrupted`, or `locked` where another run does not end in time
 */
export async function inspectWhole(
  folder: string,
  wait: number = patience,
  disk: Disk = systemDisk,
): Promise<Inspection> {
  const until = Date.now() + wait;
  for (;;) {
    const inspection = await inspect(folder, disk);
    const staging = await stagingFolders(folder, disk);
    const manifest = await readManifest(folder, disk);
    const still = inspection.staging.length === 0 && staging.length === 0;
    if (still && manifest === inspection.manifestText) return inspection;
    const [claim] = staging.length === 0 ? [] : (await readClaims(folder, disk)).live;
    if (staging.length > 0 && claim === undefined) {
      // The run that was staging may have ended, properly, between the two looks.
      if ((await stagingFolders(folder, disk)).length > 0) throw interrupted(folder);
    } else if (Date.now() >= until) {
      throw held(claim ?? '', folder);
    }
    await delay(20 + Math.random() * 60);
  }
}

/** Mends an output folder that a killed run has left half-written; does nothing to any other. */
export async function mend(options: Omit<ReconcileOptions, 'mode'>): Promise<void> {
  const { folder, within, wait = patience, disk = systemDisk } = options;
  try {
    if (within !== undefined) await assertWithin(folder, within, disk);
    await removeDeadClaims(folder, disk);
    if ((await stagingFolders(folder, disk)).length === 0) return;
    const release = await lock(folder, wait, disk);
    try {
      await recoverAll(folder, disk);
    } finally {
      await release();
    }
  } catch (error) {
    throw toOutputError(error, folder);
  }
}

async function write(
  files: readonly OutputFile[],
  folder: string,
  wait: number,
  disk: Disk,
): Promise<readonly Change[]> {
  await disk.mkdir(folder, { recursive: true });
  const release = await lock(folder, wait, disk);
  try {
    await recoverAll(folder, disk);
    const plan = planChanges(files, await inspect(folder, disk));
    assertFeasible(plan, folder);
    if (isWork(plan)) await commit(folder, plan, disk);
    return plan.changes;
  } finally {
    await release();
  }
}

async function recoverAll(folder: string, disk: Disk): Promise<void> {
  for (const staging of await stagingFolders(folder, disk)) await recover(folder, staging, disk);
}

function isWork(plan: Plan): boolean {
  return plan.writes.length + plan.removes.length + plan.occupied.length + plan.links.length > 0;
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
      'overwritten and are not recorded as generated. Move them away; if they were generated, delete the folder.',
  );
}

function interrupted(folder: string): OutputError {
  return new OutputError(
    'interrupted',
    `A run was interrupted while it wrote ${folder}; what is there may be a mixture. Run \`generate\` to mend it.`,
  );
}

function assertResolved(folder: string, path: string): void {
  if (!resolve(folder, path).startsWith(resolve(folder) + sep)) {
    throw new OutputError('escaping-path', `${JSON.stringify(path)} leads out of ${folder}.`);
  }
}

async function assertWithin(folder: string, within: string, disk: Disk): Promise<void> {
  const actual = await realpathOfNearest(folder, disk);
  const root = await disk.realpath(within);
  if (actual === root || actual.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  throw new OutputError(
    'escaping-path',
    `The output folder ${folder} leads to ${actual}, out of ${within}.`,
  );
}

/** Where a path leads, or as much of it as exists. */
async function realpathOfNearest(path: string, disk: Disk): Promise<string> {
  try {
    return await disk.realpath(path);
  } catch (error) {
    if (!isAbsent(error) || dirname(path) === path) throw error;
    return await realpathOfNearest(dirname(path), disk);
  }
}
