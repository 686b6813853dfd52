import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../test/packages/runtime/inbox/replay/postgres-server.ts';
import type { BacklogCost } from './inbox-backlog.ts';
import type { HandledEvents, OfferedReceipts } from './inbox-effects.ts';
import { createDatabase } from './inbox-peers.ts';
import type { ServerUsage } from './inbox-server.ts';
import { createNotifications, path, type SignedNotification } from './notifications.ts';
import { end, firstLine, nextMessage } from './processes.ts';

/** What it costs to acknowledge notifications in one way. */
export interface AcknowledgementCost {
  readonly way: string;
  readonly perSecond: number;
  /** 99 of 100 responses came sooner. */
  readonly p99Milliseconds: number;
  readonly cpuMicroseconds: number;
  readonly loopDelayMilliseconds: number;
}

const connections = 64;

/** Sends signed notifications of 700 bytes over 64 connections to each way of receiving them. */
export async function benchInbox(count: number): Promise<readonly AcknowledgementCost[]> {
  const notifications = await createNotifications(count);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const postgres = await startPostgres();
  const database = async (name: string): Promise<string> => {
    if (postgres === undefined) throw new Error('There is no Postgres.');
    return await createDatabase(postgres.url, name);
  };
  try {
    const costs = [
      await measure('receiver without an inbox', '', notifications),
      await measure('SQLite: a bare INSERT', join(folder, 'bare.db'), notifications),
      await measure('SQLite: receiver with an inbox', join(folder, 'inbox.db'), notifications),
    ];
    if (postgres !== undefined)
      costs.push(
        await measure('Postgres: a bare INSERT', await database('bare'), notifications),
        await measure('Postgres: receiver with an inbox', await database('inbox'), notifications),
      );
    return costs;
  } finally {
    await postgres?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  }
}

/** The same for SQLite on a disk on which each synchronization takes so many milliseconds longer. */
export async function benchSlowDisk(
  count: number,
  milliseconds: number,
): Promise<readonly AcknowledgementCost[]> {
  const notifications = await createNotifications(count);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const environment = delaySynchronization(folder, milliseconds);
  try {
    return [
      await measure(
        'SQLite: a bare INSERT',
        join(folder, 'bare.db'),
        notifications.slice(0, Math.ceil(count / 10)),
        environment,
      ),
      await measure(
        'SQLite: receiver with an inbox',
        join(folder, 'inbox.db'),
        notifications,
        environment,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a backlog costs, in a process of its own. */
export async function benchBacklog(backlog: number, sample: number): Promise<BacklogCost> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const program = fileURLToPath(new URL('./inbox-backlog.ts', import.meta.url));
  try {
    const parameters = [join(folder, 'inbox.db'), String(backlog), String(sample)];
    const child = spawn(
      process.execPath,
      ['--conditions=countersign-source', program, ...parameters],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const printed = await firstLine(child);
    await once(child, 'close');
    return JSON.parse(printed) as BacklogCost;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What it costs to handle events whose effect is one row, in one way. */
export interface EffectCost extends HandledEvents {
  readonly way: string;
  readonly guarantee: string;
}

/** Handles events in SQLite whose effect is one row, 64 at a time. */
export async function benchEffects(
  count: number,
  milliseconds: number,
): Promise<readonly EffectCost[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const handle = async (
    way: string,
    place: string,
    keys: number,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<EffectCost> => {
    const parameters = ['handle', place, String(count), String(keys)];
    const guarantee = keys === 0 ? 'effect once' : 'effect once, in order';
    return { way, guarantee, ...(await runEffects<HandledEvents>(parameters, environment)) };
  };
  try {
    const costs = [
      await handle('SQLite', join(folder, 'free.db'), 0),
      await handle('SQLite, 500 keys', join(folder, 'keys.db'), 500),
      await handle(
        `SQLite, each synchronization ${milliseconds} ms longer`,
        join(folder, 'slow.db'),
        0,
        delaySynchronization(folder, milliseconds),
      ),
    ];
    return costs;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Receives 2,000 events a second into SQLite, without a worker and with one in the same process. */
export async function benchReceiptsBesideWorker(
  count: number,
): Promise<readonly (OfferedReceipts & { readonly way: string })[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const receive = (name: string, handlers: number): Promise<OfferedReceipts> =>
    runEffects(['receive', join(folder, name), String(count), String(handlers)]);
  try {
    return [
      { way: 'without a worker', ...(await receive('alone.db', 0)) },
      { way: 'with a worker in the same process', ...(await receive('beside.db', 64)) },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runEffects<Result>(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const program = fileURLToPath(new URL('./inbox-effects.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=countersign-source', program, ...parameters],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment } },
  );
  const printed = await firstLine(child);
  await once(child, 'close');
  return JSON.parse(printed) as Result;
}

/** Returns the environment of a process whose synchronizations with the disk take longer. */
function delaySynchronization(
  folder: string,
  milliseconds: number,
): Readonly<Record<string, string>> {
  const library = join(folder, 'delay-sync.so');
  const source = fileURLToPath(new URL('./delay-sync.c', import.meta.url));
  execFileSync('cc', ['-shared', '-fPIC', '-O2', source, '-o', library, '-ldl']);
  return { LD_PRELOAD: library, DELAY_SYNC_US: String(milliseconds * 1000) };
}

async function measure(
  way: string,
  place: string,
  notifications: readonly SignedNotification[],
  environment: Readonly<Record<string, string>> = {},
): Promise<AcknowledgementCost> {
  const program = fileURLToPath(new URL('./inbox-server.ts', import.meta.url));
  const server = fork(program, [way, place], {
    execArgv: ['--conditions=countersign-source'],
    env: { ...process.env, ...environment },
  });
  try {
    const port = await nextMessage<number>(server);
    const requests = notifications.map(toRequest);
    // The first tenth warms the server up.
    const warm = Math.ceil(requests.length / 10);
    await send(port, requests.slice(0, warm));
    const before = await usageOf(server);
    const start = performance.now();
    const latencies = await send(port, requests.slice(warm));
    const seconds = (performance.now() - start) / 1000;
    const after = await usageOf(server);
    const measured = requests.length - warm;
    return {
      way,
      perSecond: measured / seconds,
      p99Milliseconds: latencies.toSorted((a, b) => a - b)[Math.floor(measured * 0.99)] ?? 0,
      cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / measured,
      loopDelayMilliseconds: after.loopDelayMilliseconds,
    };
  } finally {
    await end(server);
  }
}

async function usageOf(server: ChildProcess): Promise<ServerUsage> {
  const answer = nextMessage<ServerUsage>(server);
  server.send('usage');
  return await answer;
}

function toRequest({ body, headers }: SignedNotification): Buffer {
  const names = ['apikey', 'x-timestamp', 'x-hmac-signature', 'content-length'];
  const lines = names.map((name) => `${name}: ${headers(name).join()}`);
  const head = [`POST ${path} HTTP/1.1`, 'host: localhost', ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), body]);
}

/** Sends requests over connections, one after another on each. Returns the milliseconds until each response. */
async function send(port: number, requests: readonly Buffer[]): Promise<readonly number[]> {
  const latencies: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      // Ends the wait for a response that does not come.
      const closed = new AbortController();
      socket.once('close', () => closed.abort()).on('error', () => undefined);
      const { signal } = closed;
      for (let index = next++; index < requests.length; index = next++) {
        const start = performance.now();
        socket.write(requests[index] ?? '');
        const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
        latencies.push(performance.now() - start);
        if (!/^HTTP\/1\.1 20[04] /u.test(answer.toString('latin1')))
          throw new Error(answer.toString('latin1'));
      }
      socket.destroy();
    }),
  );
  return latencies;
}
