import { randomBytes } from 'node:crypto';
import {
  postgresStore,
  type PostgresResult,
  type PostgresScope,
  type PostgresStore,
  type PostgresStoreOptions,
} from '@countersign/runtime/inbox/postgres';
import type pg from 'pg';
import { migrate } from '../../../../../packages/runtime/inbox/postgres/migrate.ts';
import { migrations } from '../../../../../packages/runtime/inbox/postgres/migrations.ts';
import { readSettings } from '../../../../../packages/runtime/inbox/postgres/options.ts';
import { openPool } from '../replay/postgres-server.ts';
import { testVersions, type StoreHarness } from '../store-harness.ts';

/** A schema with an inbox that is removed after the test. */
export interface PostgresHarness extends StoreHarness<
  PostgresScope<pg.PoolClient>,
  PostgresResult
> {
  readonly store: PostgresStore<pg.PoolClient>;
  readonly schema: string;
  /** A pool of the role that owns the tables. */
  readonly admin: pg.Pool;
  another(options?: PostgresStoreOptions, pool?: pg.PoolConfig): PostgresStore<pg.PoolClient>;
}

/** Opens a Postgres store in a new schema. */
export async function openPostgres(
  url: string,
  options: PostgresStoreOptions = {},
): Promise<PostgresHarness> {
  const schema = `inbox_${randomBytes(6).toString('hex')}`;
  const clock = { now: 1_000_000 };
  const admin = openPool(url, { max: 3 });
  const opened: PostgresStore<pg.PoolClient>[] = [];
  const pools: pg.Pool[] = [];
  const another: PostgresHarness['another'] = (more, poolOptions = {}) => {
    const pool = openPool(url, { max: 6, ...poolOptions });
    const store = postgresStore(pool, { schema, clock: () => clock.now, ...options, ...more });
    pools.push(pool);
    opened.push(store);
    return store;
  };
  const insert = async (client: pg.PoolClient, value: string): Promise<void> => {
    await client.query(`INSERT INTO ${schema}.effects (value) VALUES ($1)`, [value]);
  };
  await admin.query(`CREATE SCHEMA ${schema}`);
  const store = another();
  await store.migrate();
  await admin.query(
    `CREATE TABLE ${schema}.effects
       (position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, value text NOT NULL)`,
  );
  let versions = 0;
  return {
    store,
    schema,
    admin,
    clock,
    another,
    effect:
      (value) =>
      async ({ transaction }) =>
        await insert(transaction, value),
    failingEffect:
      (value, error) =>
      async ({ transaction }) => {
        await insert(transaction, value);
        throw error;
      },
    async damage(receiptId) {
      await admin.query(`UPDATE ${schema}.inbox_receipts SET headers = '{bad' WHERE id = $1`, [
        receiptId,
      ]);
    },
    none: async () => undefined,
    async addVersion() {
      versions += 1;
      const files = migrations;
      const added = testVersions(versions).map(
        (sql, index) =>
          `${sql}; INSERT INTO inbox_schema (version) VALUES (${files.length + index + 1})`,
      );
      await migrate(admin, readSettings({ schema }), [...files, ...added]);
    },
    effects: async () => {
      const { rows } = await admin.query<{ value: string }>(
        `SELECT value FROM ${schema}.effects ORDER BY position`,
      );
      return rows.map(({ value }) => value);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((store) => store.close()));
      await Promise.all(pools.map((pool) => pool.end()));
      await admin.query(`DROP SCHEMA ${schema} CASCADE`);
      await admin.end();
    },
  };
}
