import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

/** A server of Redis for tests: a `redis-server` of the PATH, or the one at REDIS_URL. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  /** Stops and starts the server, with its data. Missing for a server that this process has not started. */
  readonly control?: {
    readonly process: () => ChildProcess;
    readonly stop: () => Promise<void>;
    readonly start: () => Promise<void>;
  };
}

/** Starts Redis, or uses the server at REDIS_URL. Returns `undefined` where there is neither. */
export async function startRedis(): Promise<RedisServer | undefined> {
  const { REDIS_URL: url } = process.env;
  if (url !== undefined && url !== '')
    return { url, [Symbol.asyncDispose]: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), 'countersign-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--appendonly', 'yes', '--save', ''],
      { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await ready(child);
  };
  const stop = async (): Promise<void> => {
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    child = undefined;
  };
  const dispose = async (): Promise<void> => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    child = undefined;
    await dispose();
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    control: {
      process: () => {
        if (child === undefined) throw new Error('The server is stopped.');
        return child;
      },
      stop,
      start,
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** Waits until the server accepts connections, as its log reports. */
async function ready(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  child.once('error', reject);
  child.once('exit', (code) => {
    reject(new Error(`redis-server exited with ${String(code)}.`));
  });
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve(undefined);
    });
  await promise;
}
