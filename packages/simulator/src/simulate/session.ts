import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { recordPath } from 'countersign/companion/configuration';
import { isJsonObject } from 'countersign/companion/values';

/** A running simulator, as another command of the same project finds it. */
export interface Session {
  /** The base address of the console and its control API. */
  readonly console: string;
  /** The bearer token of the control API. */
  readonly token: string;
  readonly pid: number;
}

const prefix = 'simulator-session-';

/**
 * Writes a session where `findSessions` finds it; only this user can read it. Returns a function that removes it, or
 * `undefined` if no folder for it is known.
 */
export async function keepSession(
  folder: string,
  session: Session,
): Promise<(() => Promise<void>) | undefined> {
  const place = sessionFolder(folder);
  if (place === undefined) return undefined;
  const path = join(place, `${prefix}${session.pid}.json`);
  await mkdir(place, { recursive: true });
  await writeFile(path, JSON.stringify(session), { mode: 0o600 });
  // `mode` has no effect on a file that exists.
  await chmod(path, 0o600);
  return async () => await rm(path, { force: true });
}

/**
 * Writes the certificate of the test authority of a simulator, which is not secret. Returns its path, or `undefined` if no
 * folder for it is known.
 */
export async function keepAuthority(
  folder: string,
  certificate: string,
): Promise<string | undefined> {
  const place = sessionFolder(folder);
  if (place === undefined) return undefined;
  const path = join(place, 'simulator-authority.pem');
  await mkdir(place, { recursive: true });
  await writeFile(path, certificate);
  return path;
}

/** Returns the sessions of the simulators that run for a project, and removes those of processes that have ended. */
export async function findSessions(folder: string): Promise<readonly Session[]> {
  const place = sessionFolder(folder);
  if (place === undefined) return [];
  const names = await readdir(place).catch(() => []);
  const sessions: Session[] = [];
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const session = await readSession(join(place, name));
    if (session !== undefined && isRunning(session.pid)) sessions.push(session);
    else await rm(join(place, name), { force: true });
  }
  return sessions;
}

async function readSession(path: string): Promise<Session | undefined> {
  try {
    const session: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isJsonObject(session)) return undefined;
    const { console, token, pid } = session;
    return typeof console === 'string' && typeof token === 'string' && typeof pid === 'number'
      ? { console, token, pid }
      : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user exists, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function sessionFolder(folder: string): string | undefined {
  const record = recordPath(folder, 'simulator');
  return record === undefined ? undefined : dirname(record);
}
