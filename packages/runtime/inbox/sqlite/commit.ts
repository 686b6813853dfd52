import type { DatabaseSync } from 'node:sqlite';

/** The effect of an event on the application's tables in the database of the inbox. */
export interface Commit {
  readonly commit: (database: DatabaseSync) => unknown;
}

/**
 * Returns the effect of an event. The function runs with the completion of the event in one transaction, so what it
 * writes to the database takes effect once. It must be synchronous, and must not begin or end a transaction. Wait for
 * everything before.
 *
 * The function must be repeatable: events that are ready at the same time share a transaction, with a savepoint each.
 * If that transaction fails, it is undone, and the function of each event runs again in a transaction of its own. So
 * change nothing but the database in it.
 */
export function commit(run: (database: DatabaseSync) => unknown): Commit {
  return { commit: run };
}
