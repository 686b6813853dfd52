import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startPostgres } from '../replay/postgres-server.ts';
import { openPostgres } from './postgres-harness.ts';

/** INBOX_EVENTS=100000 takes minutes. */
const events = Number(process.env['INBOX_EVENTS'] ?? 10_000);

const server = await startPostgres();
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

function start(name: string, ...parameters: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, name), parameters, {
    execArgv: ['--conditions=countersign-source'],
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
}

test.skipIf(server === undefined)(
  'two receivers and four workers store every event once and handle it once, in order',
  { timeout: 1_200_000 },
  async ({ annotate }) => {
    const { url = '' } = server ?? {};
    await using harness = await openPostgres(url);
    const { admin, schema, store } = harness;
    const deadlocks = async (): Promise<unknown> =>
      (await admin.query('SELECT sum(deadlocks) AS deadlocks FROM pg_stat_database')).rows;
    const before = await deadlocks();
    const began = performance.now();
    const receivers = ['0', '1'].map((first) =>
      start('receiver-process.fixture.ts', url, schema, first, String(events)),
    );
    const workers = Array.from({ length: 4 }, () =>
      start('worker-process.fixture.ts', url, schema),
    );

    let longest = 0;
    let depth = Infinity;
    for (let sample = 0; depth > 0; sample += 1) {
      const { rows } = await admin.query<{ wait: string | null }>(
        `SELECT max(extract(epoch FROM clock_timestamp() - waitstart)) AS wait
         FROM pg_locks WHERE NOT granted`,
      );
      longest = Math.max(longest, Number(rows[0]?.wait ?? 0));
      await delay(20);
      const receiving = receivers.some(({ exitCode }) => exitCode === null);
      if (sample % 20 === 0) depth = receiving ? Infinity : (await store.stats()).depth;
      if (workers.some(({ exitCode }) => exitCode !== null)) throw new Error('a worker ended');
    }
    const seconds = (performance.now() - began) / 1000;
    await Promise.all(receivers.map(ended));
    for (const worker of workers) worker.disconnect();
    await Promise.all(workers.map(ended));

    await annotate(
      `${events} events in ${seconds.toFixed(1)} s; the longest sampled lock wait was ${longest.toFixed(3)} s`,
    );
    expect(await store.stats()).toMatchObject({
      byState: { done: events, dead: 0 },
      duplicates: Math.ceil(events / 10),
    });
    const { rows } = await admin.query(
      `SELECT count(*)::integer AS effects, count(DISTINCT value)::integer AS distinct_effects,
         count(*) FILTER (WHERE reordered)::integer AS reordered, max(claims)::integer AS claims
       FROM (SELECT value, claims, seq < lag(seq) OVER (PARTITION BY queue ORDER BY f.position) AS reordered
         FROM ${schema}.effects AS f JOIN ${schema}.inbox_events AS e ON e.identity = f.value) AS effects`,
    );
    expect(rows).toEqual([{ effects: events, distinct_effects: events, reordered: 0, claims: 1 }]);
    expect(await deadlocks()).toEqual(before);
  },
);
