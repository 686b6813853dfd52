import type { DatabaseSync } from 'node:sqlite';

/** The effect of an event on the application's tables in the database of the inbox. */
export interface Commit {
  readonly commit: (database: DatabaseSync) => unknown;
}

/**
 * Returns the effect of an event. The function runs with the completion of the event in one transaction, so it takes
 * effect once. It must be synchronous, and must not begin or end a transaction. Wait for everything before.
 */
export function commit(run: (database: DatabaseSync) => unknown): Commit {
  return { commit: run };
}
