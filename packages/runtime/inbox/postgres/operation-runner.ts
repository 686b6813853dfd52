import { InboxError, isInboxError } from '../inbox-error.ts';
import type { Row } from '../row.ts';
import { createServerCheck, type ServerCheck } from './check-server.ts';
import type { PostgresSettings } from './options.ts';
import type { PostgresPool } from './pool.ts';
import { toStoreError } from './to-store-error.ts';
import { createTransact, type Transact, type TransactionKind, type Work } from './transact.ts';

/** Runs the operations of a store on a checked server, until the store is closed. */
export class OperationRunner {
  /** Runs a transaction without any check. */
  readonly transact: Transact;
  readonly #server: ServerCheck;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(pool: PostgresPool, settings: PostgresSettings) {
    this.transact = createTransact(pool, settings);
    this.#server = createServerCheck(this.transact, settings);
  }

  /** @throws InboxError `unsafe-durability`, `unsupported-platform`, `schema-version` */
  async checkServer(): Promise<void> {
    await this.#server.check();
  }

  /**
   * Runs an operation that `close` waits for.
   * @throws InboxError `closed`
   */
  async run<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new InboxError('closed', 'The inbox is closed');
    const result = operation();
    this.#running.add(result);
    try {
      return await result;
    } catch (error) {
      if (isInboxError(error) && error.code === 'store-failed') this.#server.reset();
      throw error;
    } finally {
      this.#running.delete(result);
    }
  }

  /** Runs an operation on a checked server. Rejects with an InboxError only. */
  async operate<Result>(operation: () => Promise<Result>): Promise<Result> {
    return await this.run(async () => {
      try {
        await this.checkServer();
        return await operation();
      } catch (error) {
        throw toStoreError(error);
      }
    });
  }

  /** Runs a transaction on a checked server. Rejects with an InboxError only. */
  async inTransaction<Result>(kind: TransactionKind, work: Work<Result>): Promise<Result> {
    return await this.operate(() => this.transact(kind, work));
  }

  /** Runs one statement in a transaction on a checked server, and returns its rows. */
  async runStatement(kind: TransactionKind, statement: string): Promise<readonly Row[]> {
    return await this.operate(() => this.transact(kind, statement));
  }

  /** Refuses further operations, and waits for those in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }
}
