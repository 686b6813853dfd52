import { randomBytes } from 'node:crypto';
import {
  postgresStore,
  type PostgresResult,
  type PostgresScope,
  type PostgresStore,
  type PostgresStoreOptions,
} from '@countersign/runtime/inbox/postgres';
import type pg from 'pg';
import {
  migrate,
  readSettings,
} from '../../../../../packages/runtime/inbox/postgres/connection.ts';
import { migrations } from '../../../../../packages/runtime/inbox/postgres/migrations.ts';
import { openPool } from '../replay/postgres-server.ts';
import { testVersions, type OpenHarness, type StoreHarness } from '../store-harness.ts';

/** A schema with an inbox. */
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

/** A schema with the tables of an inbox and one for effects, and the connections to it. */
interface Place {
  readonly schema: string;
  readonly admin: pg.Pool;
  /** The pools of stores that do not ask for another. */
  readonly pools: pg.Pool[];
}

/** Opens a Postgres store in a new schema, which is removed after the test. */
export async function openPostgres(
  url: string,
  options: PostgresStoreOptions = {},
): Promise<PostgresHarness> {
  const place = await createPlace(url);
  const { harness, close } = openAt(place, url, options);
  return {
    ...harness,
    async [Symbol.asyncDispose]() {
      await close();
      await removePlace(place);
    },
  };
}

/** Schemas for tests that know nothing but the interface of a store. */
export interface ReusedSchemas extends AsyncDisposable {
  readonly open: OpenHarness<PostgresScope<pg.PoolClient>, PostgresResult>;
}

/**
 * Opens Postgres stores in schemas that are emptied and used again, with their connections: that takes the server a
 * tenth of what new ones do. A schema whose version a test changed, or whose connections are in use at its end, is
 * removed.
 */
export function reuseSchemas(url: string): ReusedSchemas {
  const free: Place[] = [];
  return {
    async open() {
      const place = free.pop() ?? (await createPlace(url));
      const { harness, close } = openAt(place, url, {});
      let isAsCreated = true;
      return {
        ...harness,
        async addVersion() {
          isAsCreated = false;
          await harness.addVersion();
        },
        async [Symbol.asyncDispose]() {
          await close();
          if (isAsCreated && [place.admin, ...place.pools].every(isIdle)) {
            await place.admin.query(emptying.replaceAll('$', place.schema));
            free.push(place);
          } else await removePlace(place);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(free.map(removePlace));
    },
  };
}

/** Deletes what a test stores in the schema `$`, and begins all numbers again. To truncate a table takes 50 times as long. */
const emptying = `
  DELETE FROM $.effects;
  DELETE FROM $.inbox_events;
  DELETE FROM $.inbox_receipts;
  DELETE FROM $.inbox_identities;
  DELETE FROM $.inbox_audit;
  DELETE FROM $.inbox_counts;
  SELECT setval(pg_get_serial_sequence('$.effects', 'position'), 1, false),
    setval(pg_get_serial_sequence('$.inbox_events', 'seq'), 1, false),
    setval(pg_get_serial_sequence('$.inbox_audit', 'record'), 1, false);
`;

function isIdle({ totalCount, idleCount, waitingCount }: pg.Pool): boolean {
  return totalCount === idleCount && waitingCount === 0;
}

async function createPlace(url: string): Promise<Place> {
  const schema = `inbox_${randomBytes(6).toString('hex')}`;
  const admin = openPool(url, { max: 3 });
  await admin.query(`CREATE SCHEMA ${schema}`);
  await migrate(admin, readSettings({ schema }), migrations);
  await admin.query(
    `CREATE TABLE ${schema}.effects
       (position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, value text NOT NULL)`,
  );
  return { schema, admin, pools: [] };
}

async function removePlace({ schema, admin, pools }: Place): Promise<void> {
  await Promise.all(pools.map((pool) => pool.end()));
  await admin.query(`DROP SCHEMA ${schema} CASCADE`);
  await admin.end();
}

/** Opens stores at a place, and returns a function that closes them. */
function openAt(
  place: Place,
  url: string,
  options: PostgresStoreOptions,
): {
  readonly harness: Omit<PostgresHarness, typeof Symbol.asyncDispose>;
  readonly close: () => Promise<void>;
} {
  const { schema, admin } = place;
  const clock = { now: 1_000_000 };
  const opened: PostgresStore<pg.PoolClient>[] = [];
  const ownPools: pg.Pool[] = [];
  let shared = 0;
  const openOwnPool = (poolOptions: pg.PoolConfig): pg.Pool => {
    const pool = openPool(url, { max: 6, ...poolOptions });
    ownPools.push(pool);
    return pool;
  };
  const sharedPool = (): pg.Pool => (place.pools[shared++] ??= openPool(url, { max: 6 }));
  const another: PostgresHarness['another'] = (more, poolOptions) => {
    const pool = poolOptions === undefined ? sharedPool() : openOwnPool(poolOptions);
    const store = postgresStore(pool, { schema, clock: () => clock.now, ...options, ...more });
    opened.push(store);
    return store;
  };
  const insert = async (client: pg.PoolClient, value: string): Promise<void> => {
    await client.query(`INSERT INTO ${schema}.effects (value) VALUES ($1)`, [value]);
  };
  let versions = 0;
  const harness = {
    store: another(),
    schema,
    admin,
    clock,
    another,
    effect:
      (value: string) =>
      async ({ transaction }: PostgresScope<pg.PoolClient>) =>
        await insert(transaction, value),
    failingEffect:
      (value: string, error: Error) =>
      async ({ transaction }: PostgresScope<pg.PoolClient>) => {
        await insert(transaction, value);
        throw error;
      },
    async damage(receiptId: string) {
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
  };
  return {
    harness,
    async close() {
      await Promise.all(opened.map((store) => store.close()));
      await Promise.all(ownPools.map((pool) => pool.end()));
    },
  };
}
