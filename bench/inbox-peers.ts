import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../test/packages/runtime/inbox/replay/postgres-server.ts';
import type { Library, Order } from './inbox-worker.ts';
import { median } from './median.ts';
import { end, nextMessage } from './processes.ts';

/** What it costs to handle events in Postgres whose effect is one row, with a library. */
export interface PeerCost {
  readonly library: Library;
  readonly keys: number;
  readonly processes: number;
  /** The median of the runs. */
  readonly perSecond: number;
  /** CPU time of all processes of the library for an event, without that of Postgres. The median of the runs. */
  readonly cpuMicroseconds: number;
}

const libraries: readonly Library[] = ['inbox', 'graphile-worker', 'graphile-worker, transaction'];

/** What a process that is killed, or loses its connection, can change. */
export const guarantees: Readonly<Record<Library, string>> = {
  inbox: 'effect once: one transaction with the completion',
  'graphile-worker': 'effect at least once: the job is deleted by another connection',
  'graphile-worker, transaction': 'the same, and several statements of effect are one transaction',
};

/** Handles events with each library in turn, with and without keys, in one process and in four. */
export async function benchPeers(count: number, runs: number): Promise<readonly PeerCost[]> {
  const postgres = await startPostgres();
  if (postgres === undefined) return [];
  try {
    const costs: PeerCost[] = [];
    for (const keys of [0, 500])
      for (const processes of [1, 4]) {
        const measured: Measured[] = [];
        for (let round = 0; round < runs; round++)
          for (const library of libraries)
            measured.push(await measure(postgres.url, library, { events: count, keys }, processes));
        for (const library of libraries) {
          const libraryMeasurements = measured.filter(
            (measurement) => measurement.library === library,
          );
          costs.push({
            library,
            keys,
            processes,
            perSecond: median(libraryMeasurements.map(({ perSecond }) => perSecond)),
            cpuMicroseconds: median(
              libraryMeasurements.map(({ cpuMicroseconds }) => cpuMicroseconds),
            ),
          });
        }
      }
    return costs;
  } finally {
    await postgres[Symbol.asyncDispose]();
  }
}

type Measured = Pick<PeerCost, 'library' | 'perSecond' | 'cpuMicroseconds'>;

let databases = 0;

async function measure(
  url: string,
  library: Library,
  order: Order,
  processes: number,
): Promise<Measured> {
  const database = await createDatabase(url, `handled_${process.pid}_${(databases += 1)}`);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const children: ChildProcess[] = [];
  try {
    await client.query('CREATE TABLE effects (value text NOT NULL)');
    for (let index = 0; index < processes; index++) children.push(await start(library, database));
    await Promise.all(children.slice(0, 1).map((child) => ask(child, order)));
    // Rows that are newly written have no statistics.
    await client.query('ANALYZE');
    const from = performance.now();
    await Promise.all(children.map((child) => ask(child, 'start')));
    while ((await countEffects(client)) < order.events) await sleep(50);
    const milliseconds = performance.now() - from;
    const usages = await Promise.all(children.map((child) => ask<number>(child, 'usage')));
    return {
      library,
      perSecond: order.events / (milliseconds / 1000),
      cpuMicroseconds: usages.reduce((sum, usage) => sum + usage, 0) / order.events,
    };
  } finally {
    await Promise.all(children.map((child) => end(child, 'SIGKILL')));
    await client.end();
    await dropDatabase(url, database);
  }
}

async function start(library: Library, database: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('./inbox-worker.ts', import.meta.url));
  const child = fork(program, [library, database], {
    execArgv: ['--conditions=countersign-source'],
  });
  await nextMessage(child);
  return child;
}

async function ask<Answer>(
  child: ChildProcess,
  message: Order | 'start' | 'usage',
): Promise<Answer> {
  const answer = nextMessage<Answer>(child);
  child.send(message);
  return await answer;
}

async function countEffects(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM effects',
  );
  return rows[0]?.count ?? 0;
}

/** Creates a database on a server, and returns its URL. */
export async function createDatabase(url: string, name: string): Promise<string> {
  await execute(url, `CREATE DATABASE ${name}`);
  return url.replace(/\/[^/]*$/u, `/${name}`);
}

async function dropDatabase(url: string, database: string): Promise<void> {
  await execute(url, `DROP DATABASE ${database.replace(/^.*\//u, '')} WITH (FORCE)`);
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
