import { setTimeout as delay } from 'node:timers/promises';
import { InboxError } from '../inbox-error.ts';
import { integer } from '../row.ts';
import { connect } from './connection.ts';
import type { PostgresSettings } from './options.ts';
import type { PostgresPool } from './pool.ts';
import { sqlState } from './to-store-error.ts';

/** How long the changes of one version can take. */
const versionTimeoutMs = 600_000;

/** How long a change waits for the transactions in progress before it lets those behind it go first. */
const lockTimeout = '200ms';

/** The codes of failures that pass: a lock that was not available, and a deadlock. */
const passingStates: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/**
 * Brings the schema of a database to the given version. A newer version stays as it is. Receipts are stored meanwhile:
 * indexes of existing tables are built concurrently, outside of a transaction. A migration that was stopped at any point
 * continues with the next call, and of several at once, one works and the others wait.
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
      const progress = await applyNext(pool, settings, versions);
      if (progress === 'finished') return;
      if (progress === 'applied') continue;
      if (performance.now() > deadline)
        throw new InboxError(
          'store-failed',
          'Another process has been migrating the inbox for ten minutes',
        );
    } catch (error) {
      if (!passingStates.has(sqlState(error)) || performance.now() > deadline) throw error;
    }
    await delay(500 + Math.random() * 500);
  }
}

/**
 * Applies one version, or all to a schema without tables. `finished`: there is none left. `busy`: another process is
 * applying one.
 */
async function applyNext(
  pool: PostgresPool,
  settings: PostgresSettings,
  versions: readonly string[],
): Promise<'applied' | 'finished' | 'busy'> {
  const { schema, tables, timeoutMs } = settings;
  const connection = await connect(pool, timeoutMs);
  const { query, message } = connection;
  try {
    // Nothing waits for this lock in a statement: an index that is built concurrently waits for all older statements.
    await message(
      `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
       SET LOCAL statement_timeout = ${versionTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = 0;
       SET LOCAL search_path TO ${schema}, pg_temp; SET LOCAL lock_timeout = '${lockTimeout}'`,
    );
    const [locked] = await query(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('countersign inbox migrations', 0)) AS locked`,
    );
    if (locked?.['locked'] !== true) {
      await message('ROLLBACK');
      return 'busy';
    }
    const [existing] = await query(
      `SELECT 1 AS existing WHERE to_regclass('${tables.schema}') IS NOT NULL`,
    );
    const [row] =
      existing === undefined
        ? []
        : await query(`SELECT max(version) AS version FROM ${tables.schema}`);
    const current = row === undefined ? 0 : integer(row, 'version');
    if (current === 0) {
      // Nobody uses tables that this transaction creates.
      for (const sql of versions) await message(sql.replaceAll(' CONCURRENTLY', ''));
      await message('COMMIT');
      return 'finished';
    }
    const sql = versions[current];
    if (sql?.includes(' CONCURRENTLY ') === true) await applyInSteps(pool, settings, sql);
    else if (sql !== undefined) await message(sql);
    await message('COMMIT');
    return current + 1 >= versions.length ? 'finished' : 'applied';
  } catch (error) {
    await connection.rollBack();
    throw error;
  } finally {
    connection.release();
  }
}

/** Applies a version on a connection of its own: each statement by itself. */
async function applyInSteps(
  pool: PostgresPool,
  { schema, timeoutMs }: PostgresSettings,
  sql: string,
): Promise<void> {
  const connection = await connect(pool, timeoutMs);
  const { message } = connection;
  // A role or a pool can limit statements and locks. An index of a large table takes minutes, and waits for all
  // transactions in progress. A session without such limits is not changed: PgBouncer would give it to others.
  const limits = ['statement_timeout', 'lock_timeout'];
  let changed: readonly string[] = [];
  try {
    const shown = limits.map((name) => `current_setting('${name}') AS ${name}`).join();
    const [row] = (await message(`SELECT ${shown}`)).at(-1) ?? [];
    changed = limits.filter((name) => row?.[name] !== '0');
    for (const name of changed) await message(`SET ${name} = 0`);
    for (const step of stepsOf(sql))
      await message(
        step.includes(' CONCURRENTLY ')
          ? // Outside of a transaction, there is no search path of its own.
            step.replaceAll(/\b(ON|EXISTS) (?=inbox_)/gu, `$1 ${schema}.`)
          : `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = '${lockTimeout}';
             SET LOCAL search_path TO ${schema}, pg_temp; ${step}; COMMIT`,
      );
  } catch (error) {
    await connection.rollBack();
    throw error;
  } finally {
    // It fails if the connection is lost, which then is not used again.
    for (const name of changed) await message(`RESET ${name}`).catch(() => undefined);
    connection.release();
  }
}

/** Returns the statements of a version. None of them has a semicolon at the end of a line inside. */
export function stepsOf(sql: string): readonly string[] {
  return sql
    .split(/;$/mu)
    .map((step) => step.replaceAll(/^--.*$/gmu, '').trim())
    .filter((step) => step !== '');
}
