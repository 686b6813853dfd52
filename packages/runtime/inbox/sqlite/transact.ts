import type { DatabaseSync } from 'node:sqlite';

/** Runs a synchronous function in one `BEGIN IMMEDIATE`. Rolls back if it throws or if the commit fails. */
export function transact<Result>(database: DatabaseSync, run: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = run();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Ends an open transaction. SQLite itself ends it after some errors, such as a full disk. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // No transaction was open.
  }
}
