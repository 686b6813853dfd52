import type pg from 'pg';

/**
 * Stores receipts with one event each, as a program of version 1 does: a million rows are too many for single receipts.
 * One of five waits to be handled.
 */
export async function storeAsVersionOne(
  pool: pg.Pool,
  schema: string,
  count: number,
): Promise<void> {
  await pool.query(
    `WITH receipts AS (
       INSERT INTO ${schema}.inbox_receipts (id, received_at, method, target, headers, body, events)
       SELECT gen_random_uuid(), 1000, 'POST', '/hooks', '[]', '{}', 1 FROM generate_series(1, $1::integer)
       RETURNING id
     )
     INSERT INTO ${schema}.inbox_events (receipt_id, position, received_at, kind, state, queued, finished_at)
     SELECT id, 0, 1000, 'kind ' || place % 20, CASE WHEN place % 5 = 0 THEN 'ready' ELSE 'done' END,
       place % 5 = 0, CASE WHEN place % 5 = 0 THEN NULL ELSE 2000 END
     FROM (SELECT id, row_number() OVER () AS place FROM receipts) AS placed`,
    [count],
  );
}
