import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

/** PgBouncer in front of a server. */
export interface PgBouncer extends AsyncDisposable {
  readonly url: string;
}

/** Starts the `pgbouncer` of the PATH. Returns `undefined` where there is none. */
export async function startPgBouncer(
  server: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<PgBouncer | undefined> {
  const { hostname, port, username, password, pathname } = new URL(server);
  const folder = join(tmpdir(), `countersign-pgbouncer-${randomBytes(6).toString('hex')}`);
  const file = join(folder, 'pgbouncer.ini');
  const listenPort = await freePort();
  await mkdir(folder);
  await writeFile(
    file,
    `[databases]
postgres = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
; Fewer connections than clients: successive statements of a client get different ones.
default_pool_size = 3
`,
  );
  // The user of PgBouncer reads it, which is not root.
  await chmod(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const dispose = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready(child);
  } catch (error) {
    await dispose();
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return {
    url: `postgres://any:any@127.0.0.1:${listenPort}/postgres`,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Waits until it accepts connections, as its log reports. */
async function ready(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const log: string[] = [];
  child.once('error', reject);
  child.once('exit', () => {
    reject(new Error(`PgBouncer does not start:\n${log.join('\n')}`));
  });
  if (child.stderr !== null)
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.push(line);
      if (line.includes('process up')) resolve(undefined);
    });
  await promise;
}
