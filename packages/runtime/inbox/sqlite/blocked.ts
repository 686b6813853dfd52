import type { DatabaseSync } from 'node:sqlite';
import { integer } from '../row.ts';

/** What waits for a later attempt, or for an operator. */
export interface Blocked {
  readonly events: number;
  readonly keys: number;
}

/** Prepares the statement that counts what is blocked. */
export function createCountBlocked(database: DatabaseSync): (now: number) => Blocked {
  const count = database.prepare(`
    WITH heads AS MATERIALIZED (
      SELECT order_key FROM inbox_events INDEXED BY inbox_events_dead
        WHERE state = 'dead' AND queued = 1 AND order_key IS NOT NULL
      UNION SELECT order_key FROM inbox_events INDEXED BY inbox_events_retry
        WHERE state = 'retry' AND retry_at > ?1 AND order_key IS NOT NULL
    )
    SELECT (SELECT count(*) FROM heads) AS keys,
      (SELECT count(*) FROM inbox_events INDEXED BY inbox_events_retry
         WHERE state = 'retry' AND retry_at > ?1)
      + (SELECT count(*) FROM heads CROSS JOIN inbox_events e ON e.order_key = heads.order_key
         WHERE e.queued = 1 AND e.order_key IS NOT NULL AND e.state = 'waiting') AS events`);
  return (now) => {
    const row = count.get(now);
    return row === undefined
      ? { events: 0, keys: 0 }
      : { events: integer(row, 'events'), keys: integer(row, 'keys') };
  };
}
