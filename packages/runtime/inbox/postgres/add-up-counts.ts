import type { Query } from './connection.ts';
import type { PostgresSettings } from './options.ts';

/** Replaces the rows of `inbox_counts` by their sums. Rows that another process is adding up are left out. */
export async function addUpCounts(query: Query, { tables }: PostgresSettings): Promise<void> {
  await query(
    `WITH removed AS (
       DELETE FROM ${tables.counts} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${tables.counts} LIMIT 10000 FOR UPDATE SKIP LOCKED
       )) RETURNING name, events
     )
     INSERT INTO ${tables.counts} (name, events)
     SELECT name, sum(events) FROM removed GROUP BY name HAVING sum(events) <> 0`,
  );
}
