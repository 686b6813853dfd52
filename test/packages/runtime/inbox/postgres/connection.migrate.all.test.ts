import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  migrate,
  readSettings,
} from '../../../../../packages/runtime/inbox/postgres/connection.ts';
import { migrations } from '../../../../../packages/runtime/inbox/postgres/migrations.ts';
import { openPool, startPostgres } from '../replay/postgres-server.ts';
import { storeAsVersionOne } from './version-one.ts';

const server = await startPostgres();
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const rows = 1_000_000;

describe.skipIf(server === undefined)('a migration', { timeout: 600_000 }, () => {
  test(`of ${rows} rows holds no lock that a receipt waits for`, async ({ annotate }) => {
    const schema = `inbox_${randomBytes(6).toString('hex')}`;
    const settings = readSettings({ schema });
    const versions = migrations;
    const name = `migration ${schema}`;
    const admin = openPool(server?.url ?? '', { max: 4 });
    const pool = openPool(server?.url ?? '', { max: 4, application_name: name });
    onTestFinished(async () => {
      await pool.end();
      await admin.query(`DROP SCHEMA ${schema} CASCADE`);
      await admin.end();
    });
    await admin.query(`CREATE SCHEMA ${schema}`);
    await migrate(admin, settings, versions.slice(0, 1));
    for (let stored = 0; stored < rows; stored += 100_000)
      await storeAsVersionOne(admin, schema, 100_000);

    /** Stores receipts while a function runs. Returns how many, and the longest time of one in milliseconds. */
    const storeDuring = async (
      run: () => Promise<unknown>,
    ): Promise<{ receipts: number; longestMs: number }> => {
      let receipts = 0;
      let longestMs = 0;
      let isRunning = true;
      const store = async (): Promise<void> => {
        // oxlint-disable-next-line no-unmodified-loop-condition -- it is changed while the function waits
        while (isRunning) {
          const start = performance.now();
          await storeAsVersionOne(admin, schema, 1);
          longestMs = Math.max(longestMs, performance.now() - start);
          receipts += 1;
        }
      };
      const storing = store();
      await run().finally(() => {
        isRunning = false;
      });
      await storing;
      return { receipts, longestMs: Math.round(longestMs) };
    };

    const without = await storeDuring(() => delay(3000));

    /** The locks of tables that the migration held when they were read, and how often something waited for it. */
    const held = new Map<string, number>();
    let waits = 0;
    let reads = 0;
    const progress = { migrating: true };
    const observe = async (): Promise<void> => {
      while (progress.migrating) {
        const locks = await admin.query<{ mode: string }>(
          `SELECT l.mode FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
             JOIN pg_stat_activity AS a ON a.pid = l.pid
           WHERE a.application_name = $1 AND c.relkind = 'r' AND c.relnamespace = $2::regnamespace AND l.granted`,
          [name, schema],
        );
        for (const { mode } of locks.rows) held.set(mode, (held.get(mode) ?? 0) + 1);
        const waiting = await admin.query(
          `SELECT FROM pg_stat_activity AS w WHERE w.wait_event_type = 'Lock' AND w.query LIKE '%' || $2 || '%'
             AND w.application_name <> $1 AND EXISTS (SELECT FROM pg_stat_activity AS m
               WHERE m.application_name = $1 AND m.pid = ANY (pg_blocking_pids(w.pid)))`,
          [name, schema],
        );
        waits += waiting.rows.length;
        reads += 1;
      }
    };
    const observing = observe();
    const start = performance.now();
    const during = await storeDuring(async () => await migrate(pool, settings, versions));
    const seconds = Math.round((performance.now() - start) / 100) / 10;
    progress.migrating = false;
    await observing;

    await annotate(
      `${rows} rows in ${seconds} s, ${reads} reads of pg_locks. Longest receipt: ${without.longestMs} ms of ` +
        `${without.receipts} without a migration, ${during.longestMs} ms of ${during.receipts} during it`,
    );
    // The locks of a change of the table are held for milliseconds, so that some reads can find them.
    const lasting = [...held].filter(([, times]) => times > reads / 20).map(([mode]) => mode);
    expect(lasting).toContain('ShareUpdateExclusiveLock');
    const harmless = [
      'AccessShareLock',
      'RowExclusiveLock',
      'RowShareLock',
      'ShareUpdateExclusiveLock',
    ];
    expect(lasting.filter((mode) => !harmless.includes(mode))).toEqual([]);
    expect(waits).toBeLessThanOrEqual(reads / 20);
    expect(during.receipts).toBeGreaterThan(100);
    const { rows: counted } = await admin.query(
      `SELECT max(version) AS version FROM ${schema}.inbox_schema`,
    );
    expect(counted).toEqual([{ version: 3 }]);
  });
});
