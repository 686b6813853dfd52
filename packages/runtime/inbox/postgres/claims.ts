import type { BareClaim } from '../payloads.ts';
import { eventColumns, readEvent, readPayload } from '../read-event.ts';
import { parseEventId } from '../receipt-id.ts';
import { integer, type Row } from '../row.ts';
import {
  interruptionRestMs,
  maxLeaseMs,
  type Claim,
  type ClaimRequest,
  type InterruptedSelection,
} from '../store.ts';
import type { Message, Query } from './connection.ts';
import { integerLiteral, textLiteral } from './encode-text.ts';
import { lockStatement, queueOf } from './locks.ts';
import type { PostgresSettings } from './options.ts';
import { correctClockStatement, selectByKind } from './select-by-kind.ts';

/** How far a clock can be set back without consequences, such as by NTP. */
const clockToleranceMs = 5000;

/**
 * Returns the statements that claim events: some failed ones that are due, then first attempts, and then further failed
 * ones. Events whose lease has ended are made claimable before. Rows that another transaction is changing are left out,
 * so that no claim waits. They read the payload of each receipt once, and none of the cached ones.
 */
export function claimStatement(
  settings: PostgresSettings,
  request: ClaimRequest,
  cachedReceipts: readonly string[],
): string {
  const { tables, now } = settings;
  const { owner, maxEvents, leaseMs, interrupted = 'any', kinds } = request;
  const { minRetries = Math.floor(maxEvents / 4), maxRetries = maxEvents } = request;
  const take = (condition: string, order: string, max: number): string =>
    `SELECT seq FROM ${tables.events} WHERE ${condition} ${interrupted === 'any' ? '' : 'AND ends = 0'}
     ORDER BY ${order} LIMIT ${integerLiteral(max)} FOR UPDATE SKIP LOCKED`;
  const present = '(SELECT now FROM present)';
  const unless = interrupted === 'alone' ? 'WHERE NOT EXISTS (SELECT FROM alone)' : '';
  return `${interruptStatement(settings)};
     ${kinds === undefined ? 'WITH' : `${correctClockStatement(settings, clockToleranceMs)}; WITH RECURSIVE`}
     present AS MATERIALIZED (SELECT ${now()} AS now),
     alone AS MATERIALIZED (${
       interrupted === 'alone'
         ? `SELECT seq FROM ${tables.events} WHERE ${isInterrupted(present, request.alone)}
            ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED`
         : 'SELECT 0::bigint AS seq WHERE false'
     }),
     ${
       kinds !== undefined
         ? selectByKind(settings, request, kinds)
         : `due AS (${take(`state = 'retry' AND retry_at <= ${present}`, 'retry_at', maxRetries)}),
     -- A failure in the future was written before the clock was set back.
     misdated AS (${take(
       `state = 'retry' AND failed_at > ${present} + ${clockToleranceMs}`,
       'failed_at',
       maxRetries,
     )}),
     retries AS MATERIALIZED (
       SELECT seq, row_number() OVER () AS place
       FROM (SELECT seq FROM due ${unless} UNION ALL SELECT seq FROM misdated ${unless}) AS retries
       LIMIT ${integerLiteral(maxRetries)}
     ),
     ready AS (${take(`state = 'ready'`, 'seq', maxEvents)}),
     -- The later selections run only if the earlier ones have found too few.
     found AS MATERIALIZED (
       SELECT seq FROM (SELECT seq FROM alone
         UNION ALL SELECT seq FROM retries WHERE place <= ${integerLiteral(minRetries)}
         UNION ALL SELECT seq FROM ready ${unless}
         UNION ALL SELECT seq FROM retries WHERE place > ${integerLiteral(minRetries)}
       ) AS found LIMIT ${integerLiteral(maxEvents)}
     )`
     },
     e AS (
       UPDATE ${tables.events} AS c
       SET state = 'working', owner = ${textLiteral(owner)}, claims = claims + 1,
         lease_until = ${present} + ${integerLiteral(Math.trunc(leaseMs))}
       WHERE c.seq = ANY (ARRAY(SELECT seq FROM found))
       RETURNING c.*
     )
     , marked AS (
       SELECT e.*, row_number() OVER (PARTITION BY e.receipt_id ORDER BY e.seq) = 1
         AND e.receipt_id <> ALL (ARRAY[${cachedReceipts.map(textLiteral).join()}]::text[]) AS is_read
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

/** Returns a statement that makes the events claimable whose lease has ended, and counts them. */
function interruptStatement({ tables, now }: PostgresSettings): string {
  // A lease that ends later than any lease can was given before the clock was set back.
  return `WITH expired AS (
       SELECT seq FROM ${tables.events}
       WHERE state = 'working' AND (lease_until <= ${now()} OR lease_until > ${now()} + ${maxLeaseMs})
       ORDER BY seq FOR UPDATE SKIP LOCKED
     ), interrupted AS (
       UPDATE ${tables.events} AS e
       SET state = CASE WHEN retry_at IS NULL THEN 'ready' ELSE 'retry' END, owner = NULL,
         lease_until = least(lease_until, ${now()}), interruptions = interruptions + 1, ends = ends + 1
       FROM expired WHERE e.seq = expired.seq RETURNING 1
     )
     INSERT INTO ${tables.counts} (name, events)
     SELECT 'interruptions', count(*) FROM interrupted HAVING count(*) > 0`;
}

/**
 * Returns the condition of events that can be claimed and whose last attempt was interrupted. `lease_until` is when
 * their last lease ended, which a program of an earlier version did not keep.
 */
function isInterrupted(present: string, selection?: InterruptedSelection): string {
  const all = `ends > 0 AND state IN ('ready', 'retry') AND (state = 'ready' OR retry_at <= ${present})`;
  if (selection === undefined) return all;
  const { maxInRow, deadFrom } = selection;
  return `${all} AND (ends <= ${integerLiteral(maxInRow)} OR ends >= ${integerLiteral(deadFrom)}
    OR coalesce(lease_until, 0) <= ${present} - ${interruptionRestMs})`;
}

/** Returns whether an interrupted event can be claimed. */
export async function hasInterrupted(
  query: Query,
  { tables, now }: PostgresSettings,
  selection?: InterruptedSelection,
): Promise<boolean> {
  const condition = isInterrupted(now(), selection);
  const rows = await query(`SELECT FROM ${tables.events} WHERE ${condition} LIMIT 1`);
  return rows.length > 0;
}

/** Reads a claim from a row of the statement. */
export function readClaim(row: Row): BareClaim {
  const claim = { event: readEvent(row), token: integer(row, 'claims') };
  if (row['body'] === null) return claim;
  const payload = readPayload(row);
  return payload === undefined ? { ...claim, unreadable: true } : { ...claim, payload };
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
  const isOrdered = event.orderKey !== undefined;
  // An operator can put an earlier event of the key back, which then goes first.
  const earlier = `EXISTS (SELECT FROM ${tables.events} AS o
    WHERE o.queued AND o.queue = e.queue AND o.seq < e.seq)`;
  const returned = isOrdered ? `CASE WHEN ${earlier} THEN 'waiting'` : 'CASE';
  const next = {
    done: `'done'`,
    dead: `'dead'`,
    retry: isOrdered ? `${returned} ELSE 'retry' END` : `'retry'`,
    released: `${returned} WHEN e.retry_at IS NULL THEN 'ready' ELSE 'retry' END`,
  }[state];
  const lock = event.orderKey === undefined ? '' : `${lockStatement(queueOf(event.orderKey))};`;
  // The server plans a statement each time: what an event without a key does not need is left out.
  const promotion = isOrdered
    ? `, head AS (
       SELECT (SELECT o.seq FROM ${tables.events} AS o
         WHERE o.queued AND o.queue = changed.queue AND o.seq <> changed.seq ORDER BY o.seq LIMIT 1) AS seq,
         changed.seq AS after
       FROM changed
     ), promoted AS (
       UPDATE ${tables.events} AS e
       SET state = CASE WHEN e.retry_at IS NULL THEN 'ready' ELSE 'retry' END
       FROM head WHERE e.seq = head.seq AND e.state = 'waiting' ${leaves ? '' : 'AND head.seq < head.after'}
     )`
    : '';
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
     )${promotion}
     ${ending}`,
  );
  return commitsUnlessLost !== undefined || (results.at(-1) ?? []).length > 0;
}
