// Claims of events and alerts in Postgres, and their leases.

import {
  eventColumns,
  integer,
  maxAlertDelayMs,
  payloadColumns,
  readAlert,
  readEvent,
  readPayload,
  type Row,
} from '../rows.ts';
import {
  type AlertReference,
  type BareClaim,
  type Claim,
  type ClaimRequest,
  type DeadLetterAlert,
  type InterruptedSelection,
  interruptionRestMs,
  type KindShare,
  maxLeaseMs,
  parseEventId,
} from '../store.ts';
import {
  integerLiteral,
  type Message,
  type PostgresSettings,
  type Query,
  textLiteral,
} from './connection.ts';
import { lockStatement, queueOf } from './receive.ts';

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
function selectByKind(
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
function correctClockStatement(
  { tables, now }: PostgresSettings,
  clockToleranceMs: number,
): string {
  return `UPDATE ${tables.events} SET retry_at = ${now()}, failed_at = ${now()}
    WHERE seq = ANY (ARRAY(
      SELECT seq FROM ${tables.events} WHERE state = 'retry' AND failed_at > ${now()} + ${clockToleranceMs}
      ORDER BY failed_at LIMIT 1000 FOR UPDATE SKIP LOCKED
    ))`;
}

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

/** Returns what a new dead letter sets. With `leaseMs`, the caller gives its first alert. */
export function alertAssignments({ now }: PostgresSettings, leaseMs: number | undefined): string {
  return leaseMs === undefined
    ? 'alerted = 0, alerts = 0, alert_at = 0'
    : `alerted = 0, alerts = 1, alert_at = ${now()} + ${integerLiteral(Math.trunc(leaseMs))}`;
}

/** Claims the alert about a dead letter. */
export async function claimAlert(
  query: Query,
  { tables, now }: PostgresSettings,
  leaseMs: number,
): Promise<DeadLetterAlert | undefined> {
  const find = (condition: string): string =>
    `SELECT seq FROM ${tables.events} WHERE state = 'dead' AND alerted = 0 AND ${condition}
     ORDER BY alert_at, seq LIMIT 1 FOR UPDATE SKIP LOCKED`;
  const [row] = await query(
    `WITH due AS MATERIALIZED (${find(`alert_at <= ${now()}`)}),
     -- A time that is later than any delay was written before the clock was set back.
     misdated AS MATERIALIZED (${find(`alert_at > ${now()} + ${maxAlertDelayMs}`)}),
     e AS (
       UPDATE ${tables.events} AS c SET alert_at = ${now()} + $1::bigint, alerts = alerts + 1
       WHERE c.seq = (SELECT seq FROM (SELECT seq FROM due UNION ALL SELECT seq FROM misdated) AS found LIMIT 1)
       RETURNING c.*
     )
     SELECT ${payloadColumns}, e.claims, e.alerts FROM e JOIN ${tables.receipts} AS r ON r.id = e.receipt_id`,
    [Math.trunc(leaseMs)],
  );
  return row && readAlert(row);
}

/** Ends an alert, or lets it be claimed again after a time. */
export async function settleAlert(
  query: Query,
  { tables, now }: PostgresSettings,
  { id, token, attempt }: AlertReference,
  outcome: 'given' | { readonly retryAfterMs: number },
): Promise<void> {
  const parsed = parseEventId(id);
  if (parsed === undefined) return;
  const assignments =
    outcome === 'given'
      ? 'alerted = 1, alert_at = 0'
      : `alert_at = ${now()} + ${integerLiteral(Math.trunc(outcome.retryAfterMs))}`;
  await query(
    `UPDATE ${tables.events} SET ${assignments}
     WHERE receipt_id = $1 AND position = $2 AND state = 'dead' AND claims = $3 AND alerts = $4`,
    [parsed.receiptId, parsed.position, token, attempt],
  );
}

/** The leases that this process knows to hold, so that a handler begins without a question to the server. */
export class HeldLeases {
  /** The time of `performance.now()` until which the lease of a claim holds at least. */
  readonly #heldUntil = new WeakMap<Claim, number>();
  readonly #hasOwnClock: boolean;

  constructor({ hasOwnClock }: PostgresSettings) {
    this.#hasOwnClock = hasOwnClock;
  }

  /** Keeps the leases of claims that a call made or renewed, which began at a time of `performance.now()`. */
  keep(claims: readonly Claim[], start: number, leaseMs: number): void {
    // Such a clock does not run with `performance.now()`.
    if (this.#hasOwnClock) return;
    for (const claim of claims) this.#heldUntil.set(claim, start + leaseMs);
  }

  forget(claims: readonly Claim[]): void {
    for (const claim of claims) this.#heldUntil.delete(claim);
  }

  /** Returns whether the lease of a claim has not ended. False if that is not known. */
  isHeld(claim: Claim): boolean {
    return performance.now() < (this.#heldUntil.get(claim) ?? 0);
  }
}
