import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type PostgresPool,
  type PostgresReplayStore,
  type PostgresReplayStoreOptions,
  postgresReplayStore,
  createTableSql,
  defaultTable,
} from '../../../../../packages/runtime/inbox/replay/postgres.ts';
import { openPool, startPostgres } from './postgres-server.ts';
import { handledOnce, runReadmeExample } from './readme-example.ts';
import { testReplayStore } from './replay-conformance.ts';
import { startSilentServer } from './silent-server.ts';

const server = await startPostgres();
const url = server?.url ?? '';
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

/** A table for one test. */
function newTable(): string {
  return `replay_${randomBytes(6).toString('hex')}`;
}

function testPool(options: pg.PoolConfig = {}, to: string = url): pg.Pool {
  const pool = openPool(to, options);
  onTestFinished(() => pool.end());
  return pool;
}

async function openStore(options: PostgresReplayStoreOptions = {}): Promise<{
  readonly pool: pg.Pool;
  readonly table: string;
  readonly store: PostgresReplayStore;
}> {
  const pool = testPool();
  const { table = newTable() } = options;
  const store = postgresReplayStore(pool, { ...options, table });
  await store.createTable();
  return { pool, table, store };
}

testReplayStore(
  'postgres',
  async ({ timeToLiveMs }) => {
    const table = newTable();
    const admin = openPool(url);
    const pools: pg.Pool[] = [];
    await postgresReplayStore(admin, { table }).createTable();
    const closeAll = async (): Promise<void> => {
      await Promise.all(pools.splice(0).map((pool) => pool.end()));
    };
    return {
      open: () => {
        // Each run of the property opens the store once: one pool serves them.
        const pool = pools.length < 5 ? openPool(url) : pools[0];
        if (pool === undefined) throw new Error('There is a pool.');
        if (!pools.includes(pool)) pools.push(pool);
        return postgresReplayStore(pool, { table, timeToLiveMs, timeoutMs: 30_000 });
      },
      advance: async (milliseconds) => {
        await admin.query(`UPDATE ${table} SET until = until - $1 * interval '1 millisecond'`, [
          milliseconds,
        ]);
      },
      closeAll,
      [Symbol.asyncDispose]: async () => {
        await closeAll();
        await admin.query(`DROP TABLE ${table}`);
        await admin.end();
      },
    };
  },
  { skip: server === undefined },
);

describe.skipIf(server === undefined)('the table', () => {
  test('is created once by several that start at once', async () => {
    const table = newTable();
    const stores = Array.from({ length: 10 }, () => postgresReplayStore(testPool(), { table }));
    await Promise.all(stores.map((store) => store.createTable()));
    expect(await stores[0]?.claim('a', 1_000, 'one')).toBe('claimed');
  });

  test('can be created by another role with the SQL, in any schema', async () => {
    const suffix = randomBytes(6).toString('hex');
    const [role, schema] = [`role_${suffix}`, `schema_${suffix}`];
    const admin = testPool({ max: 1 });
    await admin.query(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}; ${createTableSql()}`);
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${suffix}'`);
    await admin.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
    await admin.query(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.${defaultTable} TO ${role}`,
    );

    const application = new URL(url);
    application.username = role;
    application.password = suffix;
    const pool = testPool({}, application.href);
    const store = postgresReplayStore(pool, { table: `${schema}.${defaultTable}` });
    expect(await store.claim('a', 60_000, 'one')).toBe('claimed');
    await store.confirm('a', 'one');
    expect(await store.claim('a', 60_000, 'two')).toBe('seen');
    await store.claim('b', 60_000, 'one');
    await store.release('b', 'one');
    expect(await store.deleteExpired()).toBe(0);
    await expect(store.createTable()).rejects.toMatchObject({ code: 'store-failed' });
    await admin.query(`DROP SCHEMA ${schema} CASCADE`);
    await admin.query(`DROP ROLE ${role}`);
  });

  test('loses expired keys: when asked, and by claims', async () => {
    const { pool, store, table } = await openStore({ timeToLiveMs: 1 });
    await pool.query(
      `INSERT INTO ${table} SELECT 'old ' || n, NULL, now() - interval '1 day' FROM generate_series(1, 2500) n`,
    );
    await store.claim('kept', 600_000, 'one');
    expect(await store.deleteExpired()).toBe(1_000);
    for (let claim = 2; claim <= 200; claim++) await store.claim('kept', 600_000, 'two');
    const rest = async (): Promise<unknown> =>
      (await pool.query(`SELECT key FROM ${table}`)).rows as unknown;
    await expect.poll(rest, { timeout: 20_000 }).toEqual([{ key: 'kept' }]);
  });

  test('keeps an expired key that is being claimed again', async () => {
    const { pool, store, table } = await openStore();
    await pool.query(`INSERT INTO ${table} VALUES ('a', NULL, now() - interval '1 day')`);
    const other = await pool.connect();
    await other.query('BEGIN');
    await other.query(`UPDATE ${table} SET owner = 'one', until = now() + interval '1 day'`);
    expect(await store.deleteExpired()).toBe(0);
    await other.query('COMMIT');
    other.release();
    expect(await store.claim('a', 1_000, 'two')).toBe('busy');
  });

  test('may be missing: that is an error', async () => {
    const store = postgresReplayStore(testPool(), { table: newTable() });
    await expect(store.claim('a', 1_000, 'one')).rejects.toMatchObject({ code: 'store-failed' });
  });

  test.each(['', 'Upper', 'a b', 'a"b', 'a.b.c', '1a', `a${'b'.repeat(57)}`, "x'; --"])(
    'cannot be named %j',
    (table) => {
      expect(() => postgresReplayStore({} as PostgresPool, { table })).toThrow(
        expect.objectContaining({ code: 'invalid-option' }) as Error,
      );
    },
  );
});

test.skipIf(server === undefined)(
  'needs no session: each statement may have another connection, as behind PgBouncer',
  async () => {
    const { table, store: created } = await openStore();
    const clients = [testPool({ max: 1 }), testPool({ max: 1 }), testPool({ max: 1 })];
    const texts: string[] = [];
    const pool: PostgresPool = {
      query: async (text, values) => {
        texts.push(text);
        const client = clients[texts.length % clients.length];
        if (client === undefined) throw new Error('There are three.');
        return await client.query(text, values);
      },
    };
    const store = postgresReplayStore(pool, { table });
    expect(await store.claim('a', 60_000, 'one')).toBe('claimed');
    await store.confirm('a', 'one');
    expect(await store.claim('a', 60_000, 'two')).toBe('seen');
    await store.release('a', 'one');
    await store.deleteExpired();
    expect(texts).toHaveLength(5);
    for (const text of texts) expect(text).not.toMatch(/;|\b(?:BEGIN|SET LOCAL|PREPARE|LISTEN)\b/u);
    expect(await created.claim('a', 60_000, 'three')).toBe('seen');
  },
);

describe('a server that does not answer', () => {
  test('is an error after the timeout', async () => {
    await using silent = await startSilentServer();
    const pool = openPool(`postgres://user:secret@127.0.0.1:${silent.port}/postgres`);
    const store = postgresReplayStore(pool, { timeoutMs: 20 });
    const failed = { name: 'InboxError', code: 'store-failed' };
    await expect(store.claim('a', 1_000, 'one')).rejects.toMatchObject(failed);
    await expect(store.confirm('a', 'one')).rejects.toMatchObject(failed);
    await expect(store.release('a', 'one')).rejects.toMatchObject(failed);
    await expect(store.createTable()).rejects.toMatchObject(failed);
    await expect(store.deleteExpired()).rejects.not.toThrow(/secret/u);
  });

  test('has a claim released that comes too late', async () => {
    const calls: (readonly unknown[])[] = [];
    const { promise, resolve } = Promise.withResolvers<{ rows: unknown[]; rowCount: number }>();
    const pool: PostgresPool = {
      query: async (text, values = []) => {
        calls.push([text.split(' ', 1)[0], ...values.slice(0, 2)]);
        return calls.length === 1 ? await promise : { rows: [], rowCount: 1 };
      },
    };
    const store = postgresReplayStore(pool, { timeoutMs: 5 });
    await expect(store.claim('a', 1_000, 'one')).rejects.toMatchObject({ code: 'store-failed' });
    resolve({ rows: [{ claim: 'claimed' }], rowCount: 1 });
    await expect
      .poll(() => calls)
      .toEqual([
        ['WITH', 'a', 'one'],
        ['DELETE', 'a', 'one'],
      ]);
  });

  test.skipIf(server?.control === undefined)(
    'that is stopped is an error, and works again after its start, with what was confirmed',
    async () => {
      const { store } = await openStore();
      await store.confirm('a', 'one');
      await server?.control?.stop();
      try {
        const failed = { name: 'InboxError', code: 'store-failed' };
        await expect(store.claim('a', 1_000, 'two')).rejects.toMatchObject(failed);
        await expect(store.confirm('b', 'two')).rejects.toMatchObject(failed);
        await expect(store.release('b', 'two')).rejects.toMatchObject(failed);
      } finally {
        await server?.control?.start();
      }
      expect(await store.claim('a', 1_000, 'two')).toBe('seen');
      expect(await store.claim('b', 1_000, 'two')).toBe('claimed');
    },
  );
});

test('an unknown row of the pool is an error', async () => {
  const pool: PostgresPool = {
    query: () => Promise.resolve({ rows: [{ claim: 'OK' }], rowCount: 1 }),
  };
  await expect(postgresReplayStore(pool).claim('a', 1_000, 'one')).rejects.toMatchObject({
    code: 'store-failed',
  });
});

test.skipIf(server === undefined)("the README's example handles an event once", async () => {
  try {
    expect(await runReadmeExample('postgres', { DATABASE_URL: url })).toEqual(handledOnce);
  } finally {
    await testPool().query(`DROP TABLE IF EXISTS ${defaultTable}`);
  }
});
