import type { ClaimRequest, KindShare } from '../store.ts';
import { integerLiteral, textLiteral } from './encode-text.ts';
import type { PostgresSettings } from './options.ts';

/** The SQL expression of the index: a kind can be longer than an entry of an index, and an event can have none. */
const digestOfKind = 'coalesce(hashtextextended(kind, 0), 0)';

/**
 * Returns the common table expressions that select the events to claim, with what is limited by kind, as `found`. Before
 * them, `present` has the time, and `alone` the event that is claimed instead, if there is one.
 *
 * They read the first events of each kind that has any, instead of the queue of all: what a full kind has waiting is not
 * visited. Only the events to claim are locked. If other transactions have locked some of them, the next ones of their
 * kinds are claimed instead.
 */
export function selectByKind(
  { tables }: PostgresSettings,
  request: ClaimRequest,
  kinds: readonly KindShare[],
): string {
  const { maxEvents, interrupted = 'any' } = request;
  const { minRetries = Math.floor(maxEvents / 4), maxRetries = maxEvents } = request;
  const shares = kinds.map(
    (share) =>
      `(hashtextextended(${textLiteral(share.kind)}, 0), ${[share.maxEvents, share.minRetries, share.maxRetries].map(integerLiteral).join()})`,
  );
  // The order is that of the index behind the kind. No other index has it.
  const ofKind = (columns: string, kind: string, condition: string, max: string): string =>
    `SELECT ${columns} FROM ${tables.events} WHERE state IN ('ready', 'retry') AND ${digestOfKind} = ${kind}
       AND ${condition} ${interrupted === 'any' ? '' : 'AND ends = 0'}
     ORDER BY retry_at, seq LIMIT ${max}`;
  const due = 'retry_at <= (SELECT now FROM present)';
  const first = 'retry_at IS NULL';
  const inOrder = (place: string, min: string, order: string): string =>
    `CASE WHEN NOT is_retry THEN 1 WHEN ${place} <= ${min} THEN 0 ELSE 2 END, ${order}`;
  return `next_kinds AS (
       (SELECT ${digestOfKind} AS kind FROM ${tables.events} WHERE state IN ('ready', 'retry')
        ORDER BY ${digestOfKind}, retry_at, seq LIMIT 1)
       UNION ALL
       SELECT (SELECT ${digestOfKind} FROM ${tables.events}
         WHERE state IN ('ready', 'retry') AND ${digestOfKind} > next_kinds.kind
         ORDER BY ${digestOfKind}, retry_at, seq LIMIT 1)
       FROM next_kinds WHERE next_kinds.kind IS NOT NULL
     ),
     shares AS MATERIALIZED (
       SELECT n.kind, s.max, coalesce(s.min_retries, 0) AS min_retries,
         least(s.max_retries, ${integerLiteral(maxRetries)}) AS max_retries
       FROM next_kinds AS n
       LEFT JOIN (VALUES ${shares.join()}) AS s (kind, max, min_retries, max_retries) ON s.kind = n.kind
       WHERE n.kind IS NOT NULL AND (s.max IS NULL OR s.max > 0)
     ),
     candidates AS (
       SELECT s.*, c.*,
         row_number() OVER (PARTITION BY s.kind, c.is_retry ORDER BY c.retry_at, c.seq) AS place
       FROM shares AS s CROSS JOIN LATERAL (
         (${ofKind('seq, retry_at, true AS is_retry', 's.kind', due, 's.max_retries')})
         UNION ALL
         (${ofKind('seq, retry_at, false', 's.kind', first, integerLiteral(maxEvents))})
       ) AS c
     ),
     of_kinds AS (
       SELECT kind, max, is_retry, seq, retry_at, row_number() OVER (
         PARTITION BY kind ORDER BY ${inOrder('place', 'min_retries', 'place')}
       ) AS place FROM candidates
     ),
     of_all AS (
       SELECT kind, is_retry, row_number() OVER (PARTITION BY is_retry ORDER BY retry_at, seq) AS place
       FROM of_kinds WHERE max IS NULL OR place <= max
     ),
     planned AS MATERIALIZED (
       SELECT kind, is_retry, count(*) AS events FROM (
         SELECT kind, is_retry FROM of_all
         WHERE NOT is_retry OR place <= ${integerLiteral(maxRetries)}
         ORDER BY ${inOrder('place', integerLiteral(minRetries), 'place')} LIMIT ${integerLiteral(maxEvents)}
       ) AS chosen WHERE NOT EXISTS (SELECT FROM alone) GROUP BY kind, is_retry
     ),
     found AS MATERIALIZED (
       SELECT seq FROM alone
       UNION ALL
       SELECT c.seq FROM planned AS p CROSS JOIN LATERAL (
         ${ofKind('seq', 'p.kind', due, 'p.events')} FOR UPDATE SKIP LOCKED
       ) AS c WHERE p.is_retry
       UNION ALL
       SELECT c.seq FROM planned AS p CROSS JOIN LATERAL (
         ${ofKind('seq', 'p.kind', first, 'p.events')} FOR UPDATE SKIP LOCKED
       ) AS c WHERE NOT p.is_retry
     )`;
}

/**
 * Returns a statement that makes failed events due whose failure is recorded in the future: the clock was set back. They
 * are not due by their kind, and are changed once.
 */
export function correctClockStatement(
  { tables, now }: PostgresSettings,
  clockToleranceMs: number,
): string {
  return `UPDATE ${tables.events} SET retry_at = ${now()}, failed_at = ${now()}
    WHERE seq = ANY (ARRAY(
      SELECT seq FROM ${tables.events} WHERE state = 'retry' AND failed_at > ${now()} + ${clockToleranceMs}
      ORDER BY failed_at LIMIT 1000 FOR UPDATE SKIP LOCKED
    ))`;
}
