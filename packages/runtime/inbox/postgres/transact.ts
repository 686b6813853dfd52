import { connect, type Message, type Query } from './connection.ts';
import type { PostgresSettings } from './options.ts';
import type { Row } from '../row.ts';
import type { PostgresPool } from './pool.ts';

/** What a transaction needs. */
export type TransactionKind =
  /** Waits for the disk at its commit. */
  | 'durable'
  /** Writes what can be lost in a power failure: the event is then claimed again. */
  | 'volatile'
  | 'read';

/** The statements of a transaction. */
export type Work<Result> = (query: Query, message: Message) => Promise<Result>;

/** Runs a function in a transaction of its own, or one statement without parameters, whose rows it returns. */
export interface Transact {
  <Result>(kind: TransactionKind, work: Work<Result>): Promise<Result>;
  (kind: TransactionKind, statement: string): Promise<readonly Row[]>;
}

// A pool, a role or a database can set other defaults. Each statement must see what was committed before it began.
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/** Sets the weakest durability that survives a power failure, unless the present one is stronger. */
const waitForDisk = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)`;

/**
 * Returns the statements that begin a transaction whose commit is durable. The last one is a SELECT of expressions, to
 * which others can be added: the server plans each statement.
 */
export function beginDurable(
  { allowLossOnPowerFailure }: PostgresSettings,
  expressions: readonly string[] = [],
): string {
  const selected = [...(allowLossOnPowerFailure ? [] : [waitForDisk]), ...expressions];
  return selected.length === 0 ? begin : `${begin}; SELECT ${selected.join(', ')}`;
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
  async function transact<Result>(
    kind: TransactionKind,
    work: string | Work<Result>,
  ): Promise<Result | readonly Row[]> {
    const connection = await connect(pool, settings.timeoutMs);
    const { query, message } = connection;
    try {
      return await connection.within(async () => {
        if (typeof work === 'string')
          return (await message(`${beginnings[kind]}; ${work}; COMMIT`)).at(-2) ?? [];
        await message(beginnings[kind]);
        const result = await work(query, message);
        await message('COMMIT');
        return result;
      });
    } catch (error) {
      await connection.rollBack();
      throw error;
    } finally {
      connection.release();
    }
  }
  return transact;
}
