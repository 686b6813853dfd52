// A replay store in Postgres.

import { createFailureWarnings } from '../../base/index.ts';
import { InboxError } from '../errors.ts';
import {
  readLease,
  readReplayOptions,
  type ReplayClaim,
  type ReplayOptions,
  type ReplayStore,
  withinTimeout,
} from './replay-store.ts';

export type { ReplayClaim, ReplayStore } from './replay-store.ts';

/** The table of a store whose options name none. */
export const defaultTable = 'countersign_replay';

/**
 * Returns the SQL that creates the table of a store, unless it exists. The role of the application needs the rights
 * `SELECT`, `INSERT`, `UPDATE` and `DELETE`.
 * @throws InboxError `invalid-option` for a name that is not a lower-case identifier, with or without a schema
 */
export function createTableSql(table: string = defaultTable): string {
  const name = quoteTable(table);
  const index = quoteName(`${table.split('.').at(-1) ?? table}_until`);
  return `CREATE TABLE IF NOT EXISTS ${name} (
  key text PRIMARY KEY,
  owner text,
  until timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS ${index} ON ${name} (until);
`;
}

/**
 * Returns the quoted name of a table.
 * @throws InboxError `invalid-option` for a name that is not a lower-case identifier, with or without a schema
 */
function quoteTable(table: string): string {
  // At most 63 bytes are significant, and the name of the index has six more.
  if (!/^(?:[a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,56}$/u.test(table))
    throw new InboxError(
      'invalid-option',
      '`table` must be a name of lower-case letters, digits and `_`, with or without a schema.',
    );
  return table.split('.').map(quoteName).join('.');
}

function quoteName(name: string): string {
  return `"${name}"`;
}

/** What the store uses of a `Pool` of `pg`. */
export interface PostgresPool {
  readonly query: (
    text: string,
    values?: unknown[],
  ) => Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
}

/** The options of `postgresReplayStore`. */
export interface PostgresReplayStoreOptions extends ReplayOptions {
  /** The name of the table, with or without a schema. Default: `countersign_replay`. */
  readonly table?: string;
}

/** A replay store in Postgres. */
export interface PostgresReplayStore extends ReplayStore {
  /** Creates the table, unless it exists. The role needs the right to create tables. */
  readonly createTable: () => Promise<void>;
  /** Deletes at most 1,000 expired keys, and returns how many. Every hundredth claim does the same. */
  readonly deleteExpired: () => Promise<number>;
}

const claimsPerDeletion = 100;
const maxDeleted = 1_000;

/**
 * Creates a replay store in Postgres, for several machines. Times are those of the server. Every call is one statement
 * without a name, outside a transaction: the pool can be behind PgBouncer in transaction mode.
 *
 * Create the table with the SQL of `createTableSql`, or with `createTable`.
 * @throws InboxError `invalid-option` for a table or time that is out of range
 */
export function postgresReplayStore(
  pool: PostgresPool,
  options: PostgresReplayStoreOptions = {},
): PostgresReplayStore {
  const { timeToLiveMs, timeoutMs } = readReplayOptions(options);
  const { table = defaultTable } = options;
  const sql = statements(quoteTable(table));
  const warn = createFailureWarnings();
  let claims = 0;

  const run = async (text: string, values: unknown[]): Promise<void> => {
    await pool.query(text, values);
  };
  const release = (key: string, owner: string): Promise<void> =>
    withinTimeout(() => run(sql.release, [key, owner]), { timeoutMs });
  const deleteExpired = (): Promise<number> =>
    withinTimeout(async () => (await pool.query(sql.deleteExpired)).rowCount ?? 0, { timeoutMs });
  return {
    async claim(key, leaseMs, owner, formerKey) {
      const milliseconds = readLease(leaseMs);
      const claim = await withinTimeout(
        async () =>
          readClaim(
            (await pool.query(sql.claim, [key, owner, milliseconds, formerKey ?? null])).rows,
          ),
        // The receiver does not release a claim that was rejected.
        {
          timeoutMs,
          onLate: async (late) => {
            if (late === 'claimed') await release(key, owner);
          },
        },
      );
      claims += 1;
      // The claim does not wait for the deletion, and a failed one is repeated later.
      if (claims % claimsPerDeletion === 0)
        void deleteExpired().catch((error: unknown) =>
          warn({
            code: 'COUNTERSIGN_STORE_FAILED',
            message: 'The replay store did not delete expired keys',
            help: `It tries again after ${claimsPerDeletion} claims. Its table grows until then.`,
            error,
          }),
        );
      return claim;
    },
    confirm: (key, owner) =>
      withinTimeout(() => run(sql.confirm, [key, owner, timeToLiveMs]), { timeoutMs }),
    release,
    createTable: () =>
      withinTimeout(
        async () => {
          // Two processes that create a table at once can both fail. Both statements are one implicit transaction,
          // whose end releases the lock.
          const lock = `SELECT pg_advisory_xact_lock(hashtext('countersign replay store'));`;
          await pool.query(`${lock}\n${createTableSql(table)}`);
        },
        { timeoutMs },
      ),
    deleteExpired,
  };
}

function statements(
  table: string,
): Readonly<Record<'claim' | 'confirm' | 'release' | 'deleteExpired', string>> {
  // clock_timestamp(), not now(): a statement that has waited for another one continues with the current time.
  const after = `clock_timestamp() + $3::double precision * interval '1 millisecond'`;
  return {
    // Without a claim, the row is the one of the statement's snapshot. It is missing where another claim was committed
    // since, which is busy. Nothing claims or confirms a former key any more.
    claim: `WITH former AS (
  SELECT owner FROM ${table}
  WHERE key = $4::text AND until > clock_timestamp() AND owner IS DISTINCT FROM $2::text
), claimed AS (
  INSERT INTO ${table} AS held (key, owner, until) SELECT $1::text, $2::text, ${after}
  WHERE NOT EXISTS (SELECT FROM former)
  ON CONFLICT (key) DO UPDATE SET owner = EXCLUDED.owner, until = EXCLUDED.until
  WHERE held.until <= clock_timestamp() OR held.owner = EXCLUDED.owner
  RETURNING 'claimed' AS claim
)
SELECT claim FROM claimed
UNION ALL
SELECT 'seen' FROM former WHERE owner IS NULL
UNION ALL
SELECT 'seen' FROM ${table} WHERE key = $1 AND owner IS NULL AND until > clock_timestamp()
  AND NOT EXISTS (SELECT FROM claimed) AND NOT EXISTS (SELECT FROM former)`,
    confirm: `INSERT INTO ${table} AS held (key, owner, until) VALUES ($1::text, NULL, ${after})
ON CONFLICT (key) DO UPDATE SET owner = NULL, until = EXCLUDED.until
WHERE held.until <= clock_timestamp() OR held.owner IS NULL OR held.owner = $2::text`,
    release: `DELETE FROM ${table} WHERE key = $1 AND owner = $2`,
    // SKIP LOCKED: a key that is being claimed again stays.
    deleteExpired: `DELETE FROM ${table} WHERE until <= clock_timestamp() AND key IN (
  SELECT key FROM ${table} WHERE until <= clock_timestamp() LIMIT ${maxDeleted} FOR UPDATE SKIP LOCKED
)`,
  };
}

function readClaim(rows: readonly unknown[]): ReplayClaim {
  const [row] = rows;
  if (row === undefined) return 'busy';
  if (typeof row === 'object' && row !== null && 'claim' in row) {
    if (row.claim === 'claimed' || row.claim === 'seen') return row.claim;
  }
  throw new InboxError('store-failed', 'The pool of the replay store returned an unknown row.');
}
