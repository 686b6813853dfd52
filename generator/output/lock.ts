import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Disk } from './disk.ts';
import { isAbsent } from './inspect.ts';
import { OutputError } from '../emit/output-error.ts';
import { lockPrefix } from '../emit/output-path.ts';

/** Milliseconds after which the claim of a process on another machine, of which nothing can be known, is void. */
const foreignClaimLifetime = 60_000;
const claimName = /^\.lock-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{16}$/u;

/**
 * Holds an output folder for one process until the returned function is called.
 *
 * Every process puts a claim of its own beside the others and only then looks for theirs: of two that overlap, at
 * least one sees the other and steps back. A claim carries its process in its name, so that the claim of a killed
 * process is void at once, and removing it cannot hit another one. Libraries that lock by one shared file and its
 * age can do neither.
 * @param wait milliseconds before it gives up
 * @throws OutputError `locked`
 */
export async function lock(folder: string, wait: number, disk: Disk): Promise<() => Promise<void>> {
  const until = Date.now() + wait;
  for (;;) {
    const claim = `${lockPrefix}${here()}-${process.pid}-${startOf(process.pid)}-${randomBytes(8).toString('hex')}`;
    const path = join(folder, claim);
    await (await disk.open(path, 'wx')).close();
    // A claim that cannot be removed is void when its process ends, and must not hide why the run failed.
    const release = (): Promise<void> => disk.rm(path, { force: true }).catch(() => undefined);
    let rival: string | undefined;
    try {
      rival = (await removeDeadClaims(folder, disk)).find((name) => name !== claim);
    } catch (error) {
      await release();
      throw error;
    }
    if (rival === undefined) return release;
    await release();
    if (Date.now() >= until) throw held(rival, folder);
    await delay(20 + Math.random() * 60);
  }
}

/** The claims on a folder, by whether their process still runs. */
export async function readClaims(
  folder: string,
  disk: Disk,
): Promise<{ readonly live: readonly string[]; readonly dead: readonly string[] }> {
  const live: string[] = [];
  const dead: string[] = [];
  const entries = await disk.readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  for (const { name } of entries) {
    if (claimName.test(name)) ((await isLive(name, folder, disk)) ? live : dead).push(name);
  }
  return { live, dead };
}

/** Removes what killed processes have left; answers with the claims of those that run. */
export async function removeDeadClaims(folder: string, disk: Disk): Promise<readonly string[]> {
  const { live, dead } = await readClaims(folder, disk);
  for (const name of dead) await disk.rm(join(folder, name), { force: true });
  return live;
}

/** The error for a folder that another process does not let go. */
export function held(claim: string, folder: string): OutputError {
  const pid = claimName.exec(claim)?.[2] ?? 'unknown';
  return new OutputError(
    'locked',
    `Another run (process ${pid}) is writing ${folder}. Wait for it to end; ` +
      `if there is no such process, delete ${join(folder, claim)}.`,
  );
}

async function isLive(name: string, folder: string, disk: Disk): Promise<boolean> {
  const [, host, pid = '', start = ''] = claimName.exec(name) ?? [];
  if (host !== here()) {
    try {
      return Date.now() - (await disk.lstat(join(folder, name))).mtimeMs < foreignClaimLifetime;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  }
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // A process of another user answers with EPERM, and lives.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return startOf(Number(pid)) === start;
}

function here(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/**
 * When a process began, in clock ticks since the machine did: tells it from a later process with its number.
 * `0` where the system does not say; `dead` for a killed process that its parent has not taken note of yet.
 */
function startOf(pid: number): string {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '0';
  }
  // The name of the program stands in parentheses and may hold spaces; behind it, field 3 is the state, 22 the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? 'dead' : (fields[19] ?? '0');
}
