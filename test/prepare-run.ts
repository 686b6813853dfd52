import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PostgresServer } from './packages/runtime/inbox/replay/postgres-server.ts';

const prefix = 'countersign-tests-';

/** Where Linux keeps files in memory. In a container, it can be small. */
const memory = '/dev/shm';

/** Many times what the stores of tests need. */
const minMemoryBytes = 512 * 1024 * 1024;

/** How long a folder of tests can be unused until no run can have it any more. */
const unusedMs = 24 * 60 * 60 * 1000;

/**
 * Gives a run of tests a temporary folder of its own, in which the tests, the toolkit and all processes that they start
 * create theirs. It is gone when the run is over, however the run ended: another process removes it then, and ends the
 * servers of Postgres in it.
 *
 * Node keeps the code that it compiled, for the next run too. Tests start hundreds of processes and threads from source,
 * and each would read the same TypeScript again.
 *
 * Stores of tests synchronize each transaction with the disk, which is most of what they wait for. They get a folder in
 * memory where there is one: a process that is killed leaves the same files there.
 *
 * @returns a function that removes the folder
 */
export default async function prepareRun(): Promise<() => Promise<void>> {
  const parent = tmpdir();
  await removeUnused(parent);
  const folder = await mkdtemp(join(parent, prefix));
  // Postgres runs as another user, in a folder below this one.
  await chmod(folder, 0o711);
  const keeper = fileURLToPath(new URL('remove-when-over.fixture.ts', import.meta.url));
  const remover = spawn(process.execPath, [keeper, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Only this process keeps this process alive.
  remover.unref();
  const { TMPDIR, TEMP, TMP, COUNTERSIGN_POSTGRES, COUNTERSIGN_MEMORY } = process.env;
  const inMemory = await createInMemory();
  if (inMemory !== undefined) remover.stdin.write(`${inMemory}\n`);
  Object.assign(process.env, {
    TMPDIR: folder,
    TEMP: folder,
    TMP: folder,
    COUNTERSIGN_MEMORY: inMemory ?? folder,
  });
  const postgres = await offerPostgres((used) => remover.stdin.write(`${used}\n`));
  process.env['COUNTERSIGN_POSTGRES'] = postgres.url;
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
    new URL('../node_modules/.cache/tests', import.meta.url),
  );
  return async () => {
    await postgres[Symbol.asyncDispose]();
    remover.ref();
    const ended = once(remover, 'exit');
    remover.stdin.end();
    await ended;
    const before = { TMPDIR, TEMP, TMP, COUNTERSIGN_POSTGRES, COUNTERSIGN_MEMORY };
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  };
}

/** Creates a folder in memory; returns `undefined` where there is no place for one. */
async function createInMemory(): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(memory);
    if (bavail * bsize < minMemoryBytes) return undefined;
    await removeUnused(memory);
    const folder = await mkdtemp(join(memory, prefix));
    await chmod(folder, 0o711);
    return folder;
  } catch {
    return undefined;
  }
}

/** Where tests ask for the URL of a server of Postgres. */
interface PostgresOffer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts one server of Postgres for all tests of the run when the first of them asks for its URL: most selections have
 * none. `keep` gets its folders, which can be outside of that of the run.
 */
async function offerPostgres(keep: (folder: string) => void): Promise<PostgresOffer> {
  let started: Promise<PostgresServer | undefined> | undefined;
  const start = async (): Promise<PostgresServer | undefined> => {
    const { startPostgres } = await import('./packages/runtime/inbox/replay/postgres-server.ts');
    const server = await startPostgres();
    for (const folder of server?.folders ?? []) keep(folder);
    return server;
  };
  const offer = createServer((_, response) => {
    response.setHeader('connection', 'close');
    started ??= start();
    started.then(
      // There is not one for every platform.
      (server) => response.end(server?.url ?? ''),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  offer.listen(0, '127.0.0.1');
  await once(offer, 'listening');
  offer.unref();
  const { port } = offer.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      offer.close();
      const server = await started?.catch(() => undefined);
      await server?.[Symbol.asyncDispose]();
    },
  };
}

/** Removes what runs left whose remover was ended too, as by the end of a container. */
async function removeUnused(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(parent, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs > Date.now() - unusedMs) continue;
    // It can be that of another user.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
