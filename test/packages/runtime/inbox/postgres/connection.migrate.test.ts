import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  migrate,
  stepsOf,
  readSettings,
  type PostgresSettings,
} from '../../../../../packages/runtime/inbox/postgres/connection.ts';
import { migrations } from '../../../../../packages/runtime/inbox/postgres/migrations.ts';
import { openDatabase } from '../replay/postgres-database.ts';
import { openPool } from '../replay/postgres-server.ts';
import { storeAsVersionOne } from './version-one.ts';

const database = await openDatabase();
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});

/** A schema with version 1 of the tables and some rows. */
interface OldSchema {
  readonly schema: string;
  readonly settings: PostgresSettings;
  /** A pool for the test. */
  readonly admin: pg.Pool;
  /** A pool for the migration. */
  readonly pool: pg.Pool;
}

async function openOldSchema(options: pg.PoolConfig = {}): Promise<OldSchema> {
  const schema = `inbox_${randomBytes(6).toString('hex')}`;
  const settings = readSettings({ schema });
  const admin = openPool(database?.url ?? '', { max: 6 });
  const pool = openPool(database?.url ?? '', { max: 6, ...options });
  onTestFinished(async () => {
    await pool.end();
    await admin.query(`DROP SCHEMA ${schema} CASCADE`);
    await admin.end();
  });
  await admin.query(`CREATE SCHEMA ${schema}`);
  await migrate(admin, settings, migrations.slice(0, 1));
  await storeAsVersionOne(admin, schema, 300);
  return { schema, settings, admin, pool };
}

/** Keeps a transaction open for which an index that is built concurrently waits. Returns what ends it. */
async function holdSnapshot(admin: pg.Pool): Promise<() => Promise<void>> {
  const client = await admin.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
  return async () => {
    await client.query('COMMIT');
    client.release();
  };
}

/** Waits until the creation of an index waits for a transaction. Returns the process of its connection. */
async function waitForIndex(admin: pg.Pool, schema: string): Promise<number> {
  let pid = 0;
  await expect
    .poll(
      async () => {
        const { rows } = await admin.query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND wait_event_type = 'Lock'
             AND query LIKE 'CREATE INDEX CONCURRENTLY%' || $1 || '%'`,
          [schema],
        );
        pid = rows[0]?.pid ?? 0;
        return pid;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  return pid;
}

/** Returns the version, and the indexes that are incomplete. */
async function stateOf({ admin, schema }: OldSchema): Promise<readonly [unknown, unknown]> {
  const version = await admin.query(`SELECT max(version) AS version FROM ${schema}.inbox_schema`);
  const invalid = await admin.query(
    `SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
     WHERE c.relnamespace = $1::regnamespace AND NOT i.indisvalid`,
    [schema],
  );
  return [version.rows[0]?.version, invalid.rows.map(({ relname }) => relname)];
}

/** Returns how the tables differ from those of a new schema. */
async function shapeOf(admin: pg.Pool, schema: string): Promise<unknown> {
  const columns = await admin.query(
    `SELECT table_name, column_name, data_type, column_default, is_nullable
     FROM information_schema.columns WHERE table_schema = $1 ORDER BY table_name, column_name`,
    [schema],
  );
  const indexes = await admin.query<{ indexdef: string }>(
    'SELECT indexdef FROM pg_indexes WHERE schemaname = $1 ORDER BY indexname',
    [schema],
  );
  return [
    columns.rows.map((row) => ({
      ...row,
      column_default: String(row.column_default).replaceAll(schema, ''),
    })),
    indexes.rows.map(({ indexdef }) => indexdef.replaceAll(schema, '')),
  ];
}

/** The locks of a table that do not stop a statement that inserts, updates or deletes rows. */
const harmless = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
];

describe.skipIf(database === undefined)('a migration of tables with rows', () => {
  test('no receipt waits while it builds an index', async () => {
    const old = await openOldSchema();
    const { admin, pool, schema, settings } = old;
    const release = await holdSnapshot(admin);
    const migrating = migrate(pool, settings, migrations);
    const pid = await waitForIndex(admin, schema);
    const { rows } = await admin.query<{ mode: string }>(
      `SELECT l.mode FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
       WHERE l.pid = $1 AND c.relkind = 'r' AND c.relnamespace = $2::regnamespace AND l.granted`,
      [pid, schema],
    );
    const modes = rows.map(({ mode }) => mode);
    expect(modes).toContain('ShareUpdateExclusiveLock');
    expect(modes.filter((mode) => !harmless.includes(mode))).toEqual([]);
    await storeAsVersionOne(admin, schema, 5);
    await release();
    await migrating;
    expect(await stateOf(old)).toEqual([3, []]);
  });

  test('receipts do not wait behind a change of the table that waits', async () => {
    const old = await openOldSchema();
    const { admin, pool, schema, settings } = old;
    const reader = await admin.connect();
    await reader.query(`BEGIN; SELECT count(*) FROM ${schema}.inbox_events`);
    const migrating = migrate(pool, settings, migrations);
    await expect
      .poll(async () => {
        const { rows } = await admin.query(
          `SELECT FROM pg_locks WHERE relation = '${schema}.inbox_events'::regclass
             AND mode = 'AccessExclusiveLock' AND NOT granted`,
        );
        return rows.length;
      })
      .toBe(1);
    for (let stored = 0; stored < 5; stored += 1) await storeAsVersionOne(admin, schema, 1);
    expect(await stateOf(old)).toEqual([1, []]);
    await reader.query('COMMIT');
    reader.release();
    await migrating;
    expect(await stateOf(old)).toEqual([3, []]);
  });

  test('an index whose creation was stopped is built again', async () => {
    const old = await openOldSchema();
    const { admin, pool, schema, settings } = old;
    const versions = migrations;
    const release = await holdSnapshot(admin);
    const migrating = expect(migrate(pool, settings, versions)).rejects.toThrow(/terminat/u);
    const pid = await waitForIndex(admin, schema);
    await admin.query('SELECT pg_terminate_backend($1)', [pid]);
    await migrating;
    expect(await stateOf(old)).toEqual([1, ['inbox_events_interrupted']]);
    await release();
    await migrate(pool, settings, versions);
    expect(await stateOf(old)).toEqual([3, []]);
  });

  test('a migration that was stopped after any statement continues, and is then equal to a new schema', async () => {
    const versions = migrations;
    const fresh = await openOldSchema();
    await fresh.admin.query(`DROP SCHEMA ${fresh.schema} CASCADE; CREATE SCHEMA ${fresh.schema}`);
    await migrate(fresh.pool, fresh.settings, versions);
    const expected = await shapeOf(fresh.admin, fresh.schema);
    let stops = 0;
    for (const version of [2, 3])
      for (let count = 0; count <= stepsOf(versions[version - 1] ?? '').length; count += 1) {
        const old = await openOldSchema();
        const { admin, pool, schema, settings } = old;
        if (version > 2) await migrate(pool, settings, versions.slice(0, version - 1));
        const client = await admin.connect();
        await client.query(`SET search_path TO ${schema}`);
        for (const step of stepsOf(versions[version - 1] ?? '').slice(0, count))
          await client.query(step);
        client.release(true);
        await migrate(pool, settings, versions);
        expect(await stateOf(old)).toEqual([3, []]);
        expect(await shapeOf(admin, schema)).toEqual(expected);
        stops += 1;
      }
    expect(stops).toBe(5 + 1 + 7 + 1);
  });

  test('several at once do it once, also while one of them waits', async () => {
    const old = await openOldSchema();
    const { admin, pool, schema, settings } = old;
    const versions = migrations;
    const release = await holdSnapshot(admin);
    const second = openPool(database?.url ?? '', { max: 6 });
    onTestFinished(() => second.end());
    const migrating = [pool, second].map((either) => migrate(either, settings, versions));
    await waitForIndex(admin, schema);
    await release();
    await Promise.all(migrating);
    expect(await stateOf(old)).toEqual([3, []]);
  });

  test('a time limit for statements does not end it, and is kept', async () => {
    const old = await openOldSchema({
      max: 2,
      options: '-c statement_timeout=300ms -c lock_timeout=300ms',
    });
    const { admin, pool, schema, settings } = old;
    const release = await holdSnapshot(admin);
    const migrating = migrate(pool, settings, migrations);
    const pid = await waitForIndex(admin, schema);
    await admin.query('SELECT pg_sleep(0.5)');
    expect(await waitForIndex(admin, schema)).toBe(pid);
    await release();
    await migrating;
    expect(await stateOf(old)).toEqual([3, []]);
    const clients = [await pool.connect(), await pool.connect()];
    for (const client of clients) {
      expect((await client.query('SHOW statement_timeout')).rows).toEqual([
        { statement_timeout: '300ms' },
      ]);
      expect((await client.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '300ms' }]);
      client.release();
    }
  });
});
