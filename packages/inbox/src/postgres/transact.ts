import { connect, type Query } from './connection.ts';
import type { PostgresSettings } from './options.ts';
import type { PostgresPool } from './pool.ts';

/** What a transaction needs. */
export type TransactionKind =
  /** Waits for the disk at its commit. */
  | 'durable'
  /** Writes what can be lost in a power failure: the event is then claimed again. */
  | 'volatile'
  | 'read';

/** Runs a function in a transaction of its own. */
export type Transact = <Result>(
  kind: TransactionKind,
  work: (query: Query) => Promise<Result>,
) => Promise<Result>;

// A pool, a role or a database can set other defaults. Each statement must see what was committed before it began.
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/** Sets the weakest durability that survives a power failure, unless the present one is stronger. */
const waitForDisk = `SELECT set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)`;

/** Returns the statements that begin a transaction whose commit is durable. */
export function beginDurable({ allowLossOnPowerFailure }: PostgresSettings): string {
  return allowLossOnPowerFailure ? begin : `${begin}; ${waitForDisk}`;
}

/** Creates a function that runs transactions on connections of a pool, each within the time limit. */
export function createTransact(pool: PostgresPool, settings: PostgresSettings): Transact {
  // The server ends a statement that it no longer needs to answer.
  const timeout = `SET LOCAL statement_timeout = ${settings.timeoutMs}`;
  const beginnings: Readonly<Record<TransactionKind, string>> = {
    durable: `${beginDurable(settings)}; ${timeout}`,
    volatile: `${begin}; ${timeout}; SET LOCAL synchronous_commit = off`,
    read: `BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; ${timeout}`,
  };
  return async (kind, work) => {
    const connection = await connect(pool, settings.timeoutMs);
    try {
      return await connection.within(async () => {
        await connection.query(beginnings[kind]);
        const result = await work(connection.query);
        await connection.query('COMMIT');
        return result;
      });
    } catch (error) {
      await connection.rollBack();
      throw error;
    } finally {
      connection.release();
    }
  };
}
