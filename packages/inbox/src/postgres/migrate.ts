import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { InboxError } from '../inbox-error.ts';
import { integer } from '../row.ts';
import { schemaVersion } from './check-server.ts';
import { connect } from './connection.ts';
import type { PostgresSettings } from './options.ts';
import type { PostgresPool } from './pool.ts';
import { sqlState } from './to-store-error.ts';

/** How long the changes of one version can take. */
const versionTimeoutMs = 600_000;

/** How long a change waits for the transactions in progress before it lets those behind it go first. */
const lockTimeout = '1s';

/**
 * Returns the SQL of each version. A version only adds what the code of the version before it can ignore: both serve at
 * the same time while an application is deployed.
 */
export async function readMigrations(): Promise<readonly string[]> {
  const names = Array.from(
    { length: schemaVersion },
    (_, index) => `inbox-postgres-${String(index + 1).padStart(4, '0')}.sql`,
  );
  try {
    return await Promise.all(
      names.map((name) => readFile(new URL(`../../migrations/${name}`, import.meta.url), 'utf8')),
    );
  } catch (cause) {
    throw new InboxError(
      'store-failed',
      'The files of `migrations/` are not beside the program, such as in a bundle. Run them with `psql`.',
      { cause },
    );
  }
}

/**
 * Brings the schema of a database to the given version. A newer version stays as it is.
 * @throws InboxError `store-failed`
 */
export async function migrate(
  pool: PostgresPool,
  settings: PostgresSettings,
  versions: readonly string[],
): Promise<void> {
  const deadline = performance.now() + versionTimeoutMs;
  for (;;) {
    try {
      if (await applyNext(pool, settings, versions)) return;
    } catch (error) {
      if (sqlState(error) !== '55P03' || performance.now() > deadline) throw error;
      await delay(500 + Math.random() * 500);
    }
  }
}

/** Applies one version. Returns true if there is none left. */
async function applyNext(
  pool: PostgresPool,
  { schema, tables, timeoutMs }: PostgresSettings,
  versions: readonly string[],
): Promise<boolean> {
  const connection = await connect(pool, timeoutMs);
  const { query, message } = connection;
  try {
    await message(
      `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
       SET LOCAL statement_timeout = ${versionTimeoutMs}; SET LOCAL search_path TO ${schema}, pg_temp;
       SELECT pg_advisory_xact_lock(hashtextextended('countersign inbox migrations', 0));
       SET LOCAL lock_timeout = '${lockTimeout}'`,
    );
    const [existing] = await query(
      `SELECT 1 AS existing WHERE to_regclass('${tables.schema}') IS NOT NULL`,
    );
    const [row] =
      existing === undefined
        ? []
        : await query(`SELECT max(version) AS version FROM ${tables.schema}`);
    const current = row === undefined ? 0 : integer(row, 'version');
    const sql = versions[current];
    if (sql !== undefined) await message(sql);
    await message('COMMIT');
    return current + 1 >= versions.length;
  } catch (error) {
    await connection.rollBack();
    throw error;
  } finally {
    connection.release();
  }
}
