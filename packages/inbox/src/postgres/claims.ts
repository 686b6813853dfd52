import { payloadColumns, readEventWithPayload } from '../read-event.ts';
import { parseEventId } from '../receipt-id.ts';
import { integer } from '../row.ts';
import { maxLeaseMs, type Claim } from '../store.ts';
import type { Query } from './connection.ts';
import { lock, queueOf } from './locks.ts';
import type { PostgresSettings } from './options.ts';

/** How far a clock can be set back without consequences, such as by NTP. */
const clockToleranceMs = 5000;

/**
 * Claims events: those whose lease has ended, failed ones that are due, and ready ones. Rows that another transaction is
 * changing are left out, so that no claim waits.
 */
export async function claimEvents(
  query: Query,
  { tables, now }: PostgresSettings,
  { owner, limit, leaseMs }: { owner: string; limit: number; leaseMs: number },
): Promise<readonly Claim[]> {
  const take = (condition: string, order: string): string =>
    `SELECT seq FROM ${tables.events} WHERE ${condition} ORDER BY ${order} LIMIT $2 FOR UPDATE SKIP LOCKED`;
  // A lease that ends later than any lease can, and a failure in the future, were written before the clock was set back.
  const rows = await query(
    `WITH present AS MATERIALIZED (SELECT ${now()} AS now),
     interrupted AS (${take(
       `state = 'working' AND (lease_until <= (SELECT now FROM present)
          OR lease_until > (SELECT now FROM present) + ${maxLeaseMs})`,
       'seq',
     )}),
     due AS (${take(`state = 'retry' AND retry_at <= (SELECT now FROM present)`, 'retry_at')}),
     misdated AS (${take(
       `state = 'retry' AND failed_at > (SELECT now FROM present) + ${clockToleranceMs}`,
       'failed_at',
     )}),
     ready AS (${take(`state = 'ready'`, 'seq')}),
     -- The later selections run only if the earlier ones have found too few.
     found AS MATERIALIZED (
       SELECT seq FROM (SELECT seq FROM interrupted UNION ALL SELECT seq FROM due
         UNION ALL SELECT seq FROM misdated UNION ALL SELECT seq FROM ready) AS found LIMIT $2
     ),
     e AS (
       UPDATE ${tables.events} AS c
       SET state = 'working', owner = $1, lease_until = (SELECT now FROM present) + $3,
         claims = claims + 1,
         interruptions = interruptions + CASE state WHEN 'working' THEN 1 ELSE 0 END
       FROM (SELECT DISTINCT seq FROM found) AS f WHERE c.seq = f.seq
       RETURNING c.*
     )
     SELECT ${payloadColumns}, e.claims FROM e JOIN ${tables.receipts} AS r ON r.id = e.receipt_id
     ORDER BY e.seq`,
    [owner, limit, Math.trunc(leaseMs)],
  );
  return rows.map((row) => ({ event: readEventWithPayload(row), token: integer(row, 'claims') }));
}

/** Renews leases. Returns the identifiers of the events whose claims were lost. */
export async function extendClaims(
  query: Query,
  { tables, now }: PostgresSettings,
  claims: readonly Claim[],
  leaseMs: number,
): Promise<readonly string[]> {
  const rows = await query(
    `WITH held AS (
       SELECT e.seq, c.place FROM ${tables.events} AS e
       JOIN unnest($1::text[], $2::integer[], $3::integer[])
         WITH ORDINALITY AS c (receipt_id, position, token, place)
         ON e.receipt_id = c.receipt_id AND e.position = c.position AND e.claims = c.token
       WHERE e.state = 'working' ORDER BY e.seq FOR UPDATE OF e
     )
     UPDATE ${tables.events} AS e SET lease_until = ${now()} + $4::bigint
     FROM held WHERE e.seq = held.seq RETURNING held.place`,
    [
      claims.map(({ event }) => event.receiptId),
      claims.map(({ event }) => event.position),
      claims.map(({ token }) => token),
      Math.trunc(leaseMs),
    ],
  );
  const renewed = new Set(rows.map((row) => integer(row, 'place')));
  return claims.filter((_, index) => !renewed.has(index + 1)).map(({ event }) => event.id);
}

/** How an event leaves the state `working`. */
export interface ClaimChange {
  /** The state that follows. */
  readonly state: 'done' | 'retry' | 'dead' | 'released';
  /** The other columns that change, with parameters from `$4`. */
  readonly assignments?: string;
  readonly values?: readonly unknown[];
  /** Whether the event gives up its place in the queue of its key. */
  readonly leaves: boolean;
}

/** Locks the queues of claimed events, until the end of the transaction. */
export async function lockQueues(query: Query, claims: readonly Claim[]): Promise<void> {
  await lock(
    query,
    claims
      .map(({ event }) => event.orderKey)
      .flatMap((key) => (key === undefined ? [] : queueOf(key))),
  );
}

/**
 * Changes a claimed event, and makes the next event of its key claimable. The queue of the event is locked. Returns
 * false if the claim was lost.
 */
export async function changeClaimed(
  query: Query,
  { tables }: PostgresSettings,
  { event, token }: Claim,
  { state, assignments, values = [], leaves }: ClaimChange,
): Promise<boolean> {
  const parsed = parseEventId(event.id);
  if (parsed === undefined) return false;
  // An operator can put an earlier event of the key back, which then goes first.
  const earlier = `EXISTS (SELECT FROM ${tables.events} AS o
    WHERE o.queued AND o.queue = e.queue AND o.seq < e.seq)`;
  const returned = `CASE WHEN ${earlier} THEN 'waiting'`;
  const next = {
    done: `'done'`,
    dead: `'dead'`,
    retry: `${returned} ELSE 'retry' END`,
    released: `${returned} WHEN e.retry_at IS NULL THEN 'ready' ELSE 'retry' END`,
  }[state];
  const rows = await query(
    `WITH changed AS (
       UPDATE ${tables.events} AS e
       SET owner = NULL, lease_until = NULL, queued = ${leaves ? 'false' : 'true'}, state = ${next}
         ${assignments === undefined ? '' : `, ${assignments}`}
       WHERE e.receipt_id = $1 AND e.position = $2 AND e.claims = $3 AND e.state = 'working'
       RETURNING e.seq, e.queue
     ), head AS (
       SELECT (SELECT o.seq FROM ${tables.events} AS o
         WHERE o.queued AND o.queue = changed.queue AND o.seq <> changed.seq ORDER BY o.seq LIMIT 1) AS seq,
         changed.seq AS after
       FROM changed
     ), promoted AS (
       UPDATE ${tables.events} AS e
       SET state = CASE WHEN e.retry_at IS NULL THEN 'ready' ELSE 'retry' END
       FROM head WHERE e.seq = head.seq AND e.state = 'waiting' ${leaves ? '' : 'AND head.seq < head.after'}
     )
     SELECT seq FROM changed`,
    [parsed.receiptId, parsed.position, token, ...values],
  );
  return rows.length > 0;
}
