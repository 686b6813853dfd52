import type { BareClaim } from '../payloads.ts';
import { eventColumns, readEvent, readPayload } from '../read-event.ts';
import { parseEventId } from '../receipt-id.ts';
import { integer, type Row } from '../row.ts';
import { maxLeaseMs, type Claim } from '../store.ts';
import type { Message, Query } from './connection.ts';
import { integerLiteral, textLiteral } from './encode-text.ts';
import { lockStatement, queueOf } from './locks.ts';
import type { PostgresSettings } from './options.ts';

/** How far a clock can be set back without consequences, such as by NTP. */
const clockToleranceMs = 5000;

/**
 * Returns the statement that claims events: those whose lease has ended, failed ones that are due, and ready ones. Rows
 * that another transaction is changing are left out, so that no claim waits. It reads the payload of each receipt once,
 * and none of those that are known.
 */
export function claimStatement(
  { tables, now }: PostgresSettings,
  { owner, limit, leaseMs }: { owner: string; limit: number; leaseMs: number },
  known: readonly string[],
): string {
  const max = integerLiteral(limit);
  const take = (condition: string, order: string): string =>
    `SELECT seq FROM ${tables.events} WHERE ${condition} ORDER BY ${order} LIMIT ${max}
     FOR UPDATE SKIP LOCKED`;
  const present = '(SELECT now FROM present)';
  // A lease that ends later than any lease can, and a failure in the future, were written before the clock was set back.
  return `WITH present AS MATERIALIZED (SELECT ${now()} AS now),
     interrupted AS (${take(
       `state = 'working' AND (lease_until <= ${present} OR lease_until > ${present} + ${maxLeaseMs})`,
       'seq',
     )}),
     due AS (${take(`state = 'retry' AND retry_at <= ${present}`, 'retry_at')}),
     misdated AS (${take(
       `state = 'retry' AND failed_at > ${present} + ${clockToleranceMs}`,
       'failed_at',
     )}),
     ready AS (${take(`state = 'ready'`, 'seq')}),
     -- The later selections run only if the earlier ones have found too few.
     found AS MATERIALIZED (
       SELECT seq FROM (SELECT seq FROM interrupted UNION ALL SELECT seq FROM due
         UNION ALL SELECT seq FROM misdated UNION ALL SELECT seq FROM ready) AS found LIMIT ${max}
     ),
     e AS (
       UPDATE ${tables.events} AS c
       SET state = 'working', owner = ${textLiteral(owner)}, claims = claims + 1,
         lease_until = ${present} + ${integerLiteral(Math.trunc(leaseMs))},
         interruptions = interruptions + CASE state WHEN 'working' THEN 1 ELSE 0 END
       WHERE c.seq = ANY (ARRAY(SELECT seq FROM found))
       RETURNING c.*
     )
     , marked AS (
       SELECT e.*, row_number() OVER (PARTITION BY e.receipt_id ORDER BY e.seq) = 1
         AND e.receipt_id <> ALL (ARRAY[${known.map(textLiteral).join()}]::text[]) AS is_read
       FROM e
     )
     -- Not a plain join: without statistics, the server would read all receipts.
     SELECT ${eventColumns}, e.claims, r.method, r.target, r.headers, r.body
     FROM marked AS e CROSS JOIN LATERAL (
       SELECT r.id, r.verdict, r.events, r.method,
         CASE WHEN e.is_read THEN r.target END AS target,
         CASE WHEN e.is_read THEN r.headers END AS headers,
         CASE WHEN e.is_read THEN r.body END AS body
       FROM ${tables.receipts} AS r WHERE r.id = e.receipt_id LIMIT 1
     ) AS r ORDER BY e.seq`;
}

/** Reads a claim from a row of the statement. */
export function readClaim(row: Row): BareClaim {
  const claim = { event: readEvent(row), token: integer(row, 'claims') };
  return row['body'] === null ? claim : { ...claim, payload: readPayload(row) };
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
  /** The other columns that change. */
  readonly assignments?: string;
  /** A condition without which the claim counts as lost. */
  readonly condition?: string;
  /** Whether the event gives up its place in the queue of its key. */
  readonly leaves: boolean;
  /**
   * Ends the transaction in the same message: it commits. If the claim was lost, the message fails instead, with the
   * value of this SQL expression in the message of its error.
   */
  readonly commitsUnlessLost?: string;
}

/** Returns claims in the order in which their queues are locked. */
export function inOrderOfLocks(claims: readonly Claim[]): readonly Claim[] {
  return claims
    .map((claim) => ({ claim, queue: queueOf(claim.event.orderKey ?? '') }))
    .toSorted((a, b) => (a.queue < b.queue ? -1 : 1))
    .map(({ claim }) => claim);
}

/**
 * Changes a claimed event, and makes the next event of its key claimable. Locks the queue of the event until the end of
 * the transaction. Returns false if the claim was lost.
 */
export async function changeClaimed(
  message: Message,
  { tables }: PostgresSettings,
  { event, token }: Claim,
  { state, assignments, condition = 'true', leaves, commitsUnlessLost }: ClaimChange,
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
  const lock = event.orderKey === undefined ? '' : `${lockStatement(queueOf(event.orderKey))};`;
  // Text that is not a number is an error of the server, which contains it in every language.
  const ending =
    commitsUnlessLost === undefined
      ? 'SELECT seq FROM changed'
      : `SELECT (CASE count(*) WHEN 0 THEN ${commitsUnlessLost} ELSE '1' END)::bigint FROM changed; COMMIT`;
  // Statements of one message: each sees what was committed before it began.
  const results = await message(
    `${lock} WITH changed AS (
       UPDATE ${tables.events} AS e
       SET owner = NULL, lease_until = NULL, queued = ${leaves ? 'false' : 'true'}, state = ${next}
         ${assignments === undefined ? '' : `, ${assignments}`}
       WHERE e.receipt_id = ${textLiteral(parsed.receiptId)}
         AND e.position = ${integerLiteral(parsed.position)}
         AND e.claims = ${integerLiteral(token)} AND e.state = 'working' AND ${condition}
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
     ${ending}`,
  );
  return commitsUnlessLost !== undefined || (results.at(-1) ?? []).length > 0;
}
