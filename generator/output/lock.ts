import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Disk, ifPresent } from './disk.ts';
import { OutputError, systemErrorCode } from '../emit/output-error.ts';
import { lockPrefix } from '../emit/output-path.ts';

/**
 * Milliseconds after which the claim of a process on another machine expires, because that process cannot be checked.
 */
const foreignClaimLifetime = 60_000;
const claimName = /^\.lock-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{16}$/u;

/**
 * Locks an output folder for this process until the returned function is called.
 *
 * Every process first creates its own claim file, and then looks for the claims of others. Of two processes that
 * overlap, at least one sees the other's claim and withdraws its own. The name of a claim identifies its process. The
 * claim of a killed process is therefore void at once, and removing it cannot remove another claim. Libraries that lock
 * with one shared file and its age can do neither.
 * @param waitMs how long to wait before it gives up
 * @throws OutputError `locked` if another process still holds the folder after `waitMs`
 */
export async function lock(folder: string, waitMs: number, disk: Disk): Promise<() => void> {
  const until = Date.now() + waitMs;
  for (;;) {
    const claim = `${lockPrefix}${here()}-${process.pid}-${startOf(process.pid)}-${randomBytes(8).toString('hex')}`;
    const path = join(folder, claim);
    const release = (): void => {
      try {
        disk.rm(path, { force: true });
      } catch {
        // The claim is void when its process ends. The error must not hide why the run failed.
      }
    };
    let rival: string | undefined;
    try {
      disk.writeFile(path, '');
      rival = removeDeadClaims(folder, disk).find((name) => name !== claim);
    } catch (error) {
      release();
      throw error;
    }
    if (rival === undefined) return release;
    release();
    if (Date.now() >= until) throw held(rival, folder);
    await delay(20 + Math.random() * 60);
  }
}

/** Returns the claims on a folder, separated by whether their process still runs. */
export function readClaims(
  folder: string,
  disk: Disk,
): { readonly live: readonly string[]; readonly dead: readonly string[] } {
  const entries = ifPresent(() => disk.readdir(folder)) ?? [];
  const claims = entries.map(({ name }) => name).filter((name) => claimName.test(name));
  const live = claims.filter((name) => isLive(name, folder, disk));
  return { live, dead: claims.filter((name) => !live.includes(name)) };
}

/** Removes the claims of killed processes, and returns the claims of running ones. */
export function removeDeadClaims(folder: string, disk: Disk): readonly string[] {
  const { live, dead } = readClaims(folder, disk);
  for (const name of dead) disk.rm(join(folder, name), { force: true });
  return live;
}

/** Creates the error for a folder that another process still holds. */
export function held(claim: string, folder: string): OutputError {
  const pid = claimName.exec(claim)?.[2] ?? 'unknown';
  return new OutputError(
    'locked',
    `Another run (process ${pid}) is writing ${folder}. Wait until it exits. ` +
      `If that process does not exist, delete ${join(folder, claim)}.`,
  );
}

function isLive(name: string, folder: string, disk: Disk): boolean {
  const [, host, pid = '', start = ''] = claimName.exec(name) ?? [];
  if (host !== here()) {
    const stats = ifPresent(() => disk.lstat(join(folder, name)));
    return stats !== undefined && Date.now() - stats.mtimeMs < foreignClaimLifetime;
  }
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return systemErrorCode(error) === 'EPERM';
  }
  return startOf(Number(pid)) === start;
}

function here(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/**
 * Returns when a process started, in clock ticks since the machine booted. This distinguishes it from a later process
 * with the same id. Returns `0` if the system does not report it, and `dead` for a killed process that its parent has
 * not reaped yet.
 */
function startOf(pid: number): string {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '0';
  }
  // The program's name is in parentheses and may contain spaces. After it, field 3 is the state and field 22 the start
  // time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? 'dead' : (fields[19] ?? '0');
}
