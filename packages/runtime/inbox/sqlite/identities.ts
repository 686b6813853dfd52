import type { DatabaseSync } from 'node:sqlite';
import { text } from '../row.ts';

/** The identities that were stored. Its methods run within a transaction. */
export interface Identities {
  /** Returns the identifier of the event that was stored first with an identity. */
  ownerOf(identity: string): string | undefined;
  /** Stores an identity, unless it is stored already. */
  keep(identity: string, eventId: string, storedAt: number): void;
  countRepetition(identity: string): void;
}

/** Prepares the statements for a connection. */
export function createIdentities(database: DatabaseSync): Identities {
  const find = database.prepare('SELECT event_id FROM inbox_identities WHERE identity = ?');
  const insert = database.prepare(
    `INSERT INTO inbox_identities (identity, event_id, stored_at) VALUES (?, ?, ?)
     ON CONFLICT (identity) DO NOTHING`,
  );
  const countOfIdentity = database.prepare(
    'UPDATE inbox_identities SET repetitions = repetitions + 1 WHERE identity = ?',
  );
  const countOfAll = database.prepare(
    "UPDATE inbox_counts SET events = events + 1 WHERE name = 'duplicates'",
  );
  return {
    ownerOf(identity) {
      const row = find.get(identity);
      return row === undefined ? undefined : text(row, 'event_id');
    },
    keep: (identity, eventId, storedAt) => void insert.run(identity, eventId, storedAt),
    countRepetition(identity) {
      countOfAll.run();
      countOfIdentity.run(identity);
    },
  };
}
