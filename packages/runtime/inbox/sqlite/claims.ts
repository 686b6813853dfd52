// Claims of events and alerts in SQLite.

import type { DatabaseSync } from 'node:sqlite';
import {
  eventColumns,
  integer,
  maxAlertDelayMs,
  optionalText,
  payloadColumns,
  readAlert,
  readEvent,
  readPayload,
  type Row,
  text,
} from '../rows.ts';
import {
  type AlertReference,
  type BareClaim,
  type Claim,
  type ClaimRequest,
  type DeadLetterAlert,
  type Failure,
  type InterruptedSelection,
  interruptionRestMs,
  type KindShare,
  maxLeaseMs,
  parseEventId,
  type Payload,
  writeRejection,
} from '../store.ts';
import {
  type ClaimReference,
  createReplace,
  type KeyQueue,
  type ReplaceClaimed,
} from './receive.ts';

/** Returns the places of the events to claim, with what is limited by kind. */
type SelectByKind = (
  request: ClaimRequest & { now: number },
  kinds: readonly KindShare[],
) => readonly Row[];

/**
 * Prepares the statements for a connection. They read the first events of each kind that has any, instead of the queue
 * of all: what a full kind has waiting is not visited.
 */
function createSelectByKind(database: DatabaseSync): SelectByKind {
  // With statistics of a queue of one kind, SQLite would read the table in the order of seq.
  const claimable =
    "FROM inbox_events INDEXED BY inbox_events_kinds WHERE state IN ('ready', 'retry')";
  const firstKind = database.prepare(
    `SELECT kind ${claimable} AND kind IS NOT NULL ORDER BY kind LIMIT 1`,
  );
  const kindAfter = database.prepare(`SELECT kind ${claimable} AND kind > ? ORDER BY kind LIMIT 1`);
  const due = database.prepare(
    `SELECT seq, retry_at ${claimable} AND kind IS ? AND retry_at <= ? AND (ends = 0 OR ?)
     ORDER BY retry_at, seq LIMIT ?`,
  );
  const ready = database.prepare(
    `SELECT seq ${claimable} AND kind IS ? AND retry_at IS NULL AND (ends = 0 OR ?) ORDER BY seq LIMIT ?`,
  );

  /** Returns each kind that has events to claim, and `null` for those without a kind. */
  function* eachKind(): Generator<string | null> {
    yield null;
    let row = firstKind.get();
    while (row !== undefined) {
      const kind = text(row, 'kind');
      yield kind;
      row = kindAfter.get(kind);
    }
  }

  return ({ maxEvents, now, interrupted = 'any', ...request }, kinds) => {
    const { minRetries = Math.floor(maxEvents / 4), maxRetries = maxEvents } = request;
    const all = interrupted === 'any' ? 1 : 0;
    const shares = new Map<string | null, KindShare>(kinds.map((share) => [share.kind, share]));
    const retries: Row[] = [];
    const firsts: Row[] = [];
    for (const kind of eachKind()) {
      const share = shares.get(kind);
      if (share !== undefined && share.maxEvents <= 0) continue;
      const mostRetries = Math.min(maxRetries, share?.maxRetries ?? maxRetries);
      const retriesOfKind = due.all(kind, now, all, mostRetries);
      const firstsOfKind = ready.all(kind, all, maxEvents);
      const chosen = choose(retriesOfKind, firstsOfKind, {
        maxEvents: share?.maxEvents ?? Infinity,
        minRetries: share?.minRetries ?? 0,
      });
      retries.push(...chosen.retries);
      firsts.push(...chosen.firsts);
    }
    retries.sort((a, b) => integer(a, 'retry_at') - integer(b, 'retry_at'));
    firsts.sort((a, b) => integer(a, 'seq') - integer(b, 'seq'));
    const chosen = choose(retries.slice(0, maxRetries), firsts, { maxEvents, minRetries });
    return [...chosen.retries, ...chosen.firsts];
  };
}

/** Returns some failed events, then first attempts, and then further failed ones. */
function choose(
  retries: readonly Row[],
  firsts: readonly Row[],
  { maxEvents, minRetries }: { readonly maxEvents: number; readonly minRetries: number },
): { readonly retries: readonly Row[]; readonly firsts: readonly Row[] } {
  const atLeast = Math.min(minRetries, retries.length, maxEvents);
  const chosen = firsts.slice(0, maxEvents - atLeast);
  return { retries: retries.slice(0, maxEvents - chosen.length), firsts: chosen };
}

/** Returns what identifies a claim. */
export function referenceOf({ event, token }: Claim): ClaimReference {
  return { id: event.id, token };
}

/** A request, with the time and the receipts whose payloads need not be read. */
type SqliteClaimRequest = ClaimRequest & { now: number; cachedReceipts: readonly string[] };

/** Changes claims. Every method runs within a transaction. Those that return a boolean return false for a lost claim. */
export interface Claims {
  /** Reads the payload of each receipt once, and none of the cached ones. */
  claim(request: SqliteClaimRequest): BareClaim[];
  extend(claims: readonly ClaimReference[], leaseUntil: number): string[];
  complete(claim: ClaimReference, now: number): boolean;
  fail(claim: ClaimReference, failure: Failure & { at: number; now: number }): boolean;
  bury(
    claim: ClaimReference,
    failure: Failure & { afterDeadLetter: 'wait' | 'skip'; now: number; alertAt?: number },
  ): boolean;
  replace: ReplaceClaimed;
  release(claims: readonly ClaimReference[]): void;
  /** Returns whether an interrupted event of a selection can be claimed. */
  hasInterrupted(now: number, alone?: InterruptedSelection): boolean;
  /** Makes failed events claimable whose failure is recorded in the future: the clock was set back. */
  correctClock(now: number): void;
}

/** SQLite's code for a damaged page. */
const corruptCode = 11;

/** Extended codes have the primary code in their lowest byte. */
function isDamage(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === corruptCode
  );
}

/** Reads a row. Returns undefined if its pages are damaged. */
function readUndamaged(read: () => Row | undefined): Row | undefined {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** Prepares the statements of a connection. */
export function createClaims(database: DatabaseSync, keys: KeyQueue): Claims {
  const context: ClaimContext = {
    statements: prepareStatements(database),
    selectByKind: createSelectByKind(database),
    keys,
  };
  const { statements } = context;
  return {
    claim: (request) => claimEvents(context, request),
    extend(claims, leaseUntil) {
      const lost: string[] = [];
      for (const claim of claims)
        if (!change(context, claim, (seq) => statements.renew.run(leaseUntil, seq)))
          lost.push(claim.id);
      return lost;
    },
    complete: (claim, now) => change(context, claim, (seq) => statements.finish.run(now, seq)),
    fail: (claim, { error, rejection, at, now }) =>
      change(context, claim, (seq) =>
        statements.postpone.run(at, now, error, writeRejection(rejection), seq),
      ),
    bury: (claim, { error, rejection, afterDeadLetter, now, alertAt }) =>
      change(context, claim, (seq) => {
        const queued = afterDeadLetter === 'wait' ? 1 : 0;
        const rejectionText = writeRejection(rejection);
        const alerts = alertAt === undefined ? 0 : 1;
        statements.kill.run(queued, error, rejectionText, now, now, alertAt ?? 0, alerts, seq);
      }),
    replace: createReplace(database, keys, (reference) => {
      const row = findClaimed(context, reference);
      return row && integer(row, 'seq');
    }),
    release(claims) {
      for (const claim of claims) change(context, claim, (seq) => statements.giveBack.run(seq));
    },
    hasInterrupted: (now, alone) => findInterrupted(context, now, alone).length > 0,
    correctClock(now) {
      statements.makeDue.run(now, now);
    },
  };
}

/** What the functions of a connection share. */
interface ClaimContext {
  readonly statements: ReturnType<typeof prepareStatements>;
  readonly selectByKind: ReturnType<typeof createSelectByKind>;
  readonly keys: KeyQueue;
}

function prepareStatements(database: DatabaseSync) {
  return {
    // A lease that ends later than any lease can was given before the clock was set back.
    expired: database.prepare(
      `SELECT seq, order_key FROM inbox_events
       WHERE state = 'working' AND (lease_until <= ? OR lease_until > ?)`,
    ),
    interrupt: database.prepare(
      `UPDATE inbox_events
       SET state = iif(retry_at IS NULL, 'ready', 'retry'), owner = NULL, lease_until = min(lease_until, ?),
         interruptions = interruptions + 1, ends = ends + 1
       WHERE seq = ?`,
    ),
    countInterruption: database.prepare(
      "UPDATE inbox_counts SET events = events + 1 WHERE name = 'interruptions'",
    ),
    due: database.prepare(
      `SELECT seq FROM inbox_events WHERE state = 'retry' AND retry_at <= ? AND (ends = 0 OR ?)
       ORDER BY retry_at LIMIT ?`,
    ),
    ready: database.prepare(
      "SELECT seq FROM inbox_events WHERE state = 'ready' AND (ends = 0 OR ?) ORDER BY seq LIMIT ?",
    ),
    // `lease_until` is when the last lease ended, which a program of an earlier version did not keep.
    interrupted: database.prepare(
      `SELECT seq FROM inbox_events WHERE ends > 0 AND state IN ('ready', 'retry')
         AND (state = 'ready' OR retry_at <= ?) AND (ends <= ? OR ends >= ? OR coalesce(lease_until, 0) <= ?)
       ORDER BY seq LIMIT 1`,
    ),
    take: database.prepare(
      `UPDATE inbox_events SET state = 'working', owner = ?, lease_until = ?, claims = claims + 1
       WHERE seq = ?`,
    ),
    load: database.prepare(
      `SELECT ${eventColumns}, e.receipt, e.claims FROM inbox_events e JOIN inbox_receipts r USING (receipt)
       WHERE e.seq = ?`,
    ),
    loadPayload: database.prepare(
      'SELECT method, target, headers, body FROM inbox_receipts WHERE receipt = ?',
    ),
    find: database.prepare(
      `SELECT e.seq, e.order_key FROM inbox_receipts r JOIN inbox_events e USING (receipt)
       WHERE r.id = ? AND e.position = ? AND e.state = 'working' AND e.claims = ?`,
    ),
    renew: database.prepare('UPDATE inbox_events SET lease_until = ? WHERE seq = ?'),
    finish: database.prepare(
      `UPDATE inbox_events
       SET state = 'done', queued = 0, ends = 0, owner = NULL, lease_until = NULL, retry_at = NULL, finished_at = ?
       WHERE seq = ?`,
    ),
    postpone: database.prepare(
      `UPDATE inbox_events
       SET state = 'retry', retry_at = ?, failed_at = ?, error = ?, rejection = ?, attempts = attempts + 1,
         ends = 0, owner = NULL, lease_until = NULL
       WHERE seq = ?`,
    ),
    kill: database.prepare(
      `UPDATE inbox_events
       SET state = 'dead', queued = ?, retry_at = NULL, error = ?, rejection = ?, attempts = attempts + 1,
         owner = NULL, lease_until = NULL, failed_at = ?, finished_at = ?, alerted = 0, alert_at = ?, alerts = ?
       WHERE seq = ?`,
    ),
    giveBack: database.prepare(
      `UPDATE inbox_events
       SET state = iif(retry_at IS NULL, 'ready', 'retry'), owner = NULL, lease_until = NULL
       WHERE seq = ?`,
    ),
    makeDue: database.prepare(
      "UPDATE inbox_events SET retry_at = ? WHERE state = 'retry' AND failed_at > ?",
    ),
  };
}

function findClaimed({ statements }: ClaimContext, { id, token }: ClaimReference): Row | undefined {
  const parsed = parseEventId(id);
  return parsed && statements.find.get(parsed.receiptId, parsed.position, token);
}

/** Runs a change if the claim is still held, and settles the key of its event. Returns whether it was held. */
function change(
  context: ClaimContext,
  reference: ClaimReference,
  run: (seq: number) => void,
): boolean {
  const row = findClaimed(context, reference);
  if (row === undefined) return false;
  run(integer(row, 'seq'));
  settleKey(context, row);
  return true;
}

function settleKey({ keys }: ClaimContext, row: Row): void {
  const key = optionalText(row, 'order_key');
  if (key !== undefined) keys.settle(key);
}

function claimEvents(context: ClaimContext, request: SqliteClaimRequest): BareClaim[] {
  const { owner, leaseMs, now, cachedReceipts } = request;
  const { take, load, kill } = context.statements;
  interruptExpired(context, now);
  const claims: BareClaim[] = [];
  const read = new Set(cachedReceipts);
  for (const row of select(context, request)) {
    const seq = integer(row, 'seq');
    take.run(owner, now + leaseMs, seq);
    const taken = load.get(seq);
    if (taken === undefined) {
      // Without its receipt, an event has no identifier.
      kill.run(1, 'unreadable: its receipt is missing', null, now, now, 0, 0, seq);
      continue;
    }
    const event = readEvent(taken);
    const claim = { event, token: integer(taken, 'claims') };
    if (read.has(event.receiptId)) {
      claims.push(claim);
      continue;
    }
    read.add(event.receiptId);
    const payload = loadUndamaged(context, integer(taken, 'receipt'));
    claims.push(payload === undefined ? { ...claim, unreadable: true } : { ...claim, payload });
  }
  return claims;
}

/** Makes events claimable again whose leases have ended. */
function interruptExpired(context: ClaimContext, now: number): void {
  const { expired, interrupt, countInterruption } = context.statements;
  for (const row of expired.all(now, now + maxLeaseMs)) {
    interrupt.run(now, integer(row, 'seq'));
    countInterruption.run();
    settleKey(context, row);
  }
}

/** Returns a payload, unless it or its pages are damaged. */
function loadUndamaged({ statements }: ClaimContext, receipt: number): Payload | undefined {
  const row = readUndamaged(() => statements.loadPayload.get(receipt));
  return row && readPayload(row);
}

/** Returns the place of the first event of a selection that is claimed alone, if there is one. */
function findInterrupted(
  { statements }: ClaimContext,
  now: number,
  { maxInRow, deadFrom }: InterruptedSelection = allInterrupted,
): readonly Row[] {
  return statements.interrupted.all(now, maxInRow, deadFrom, now - interruptionRestMs);
}

const allInterrupted: InterruptedSelection = { maxInRow: Number.MAX_SAFE_INTEGER, deadFrom: 1 };

/** Returns the places of the events to claim: some failed ones, first attempts, and then further failed ones. */
function select(context: ClaimContext, request: ClaimRequest & { now: number }): readonly Row[] {
  const { statements, selectByKind } = context;
  const { due, ready } = statements;
  const { maxEvents, now, interrupted: policy = 'any' } = request;
  const { minRetries = Math.floor(maxEvents / 4), maxRetries = maxEvents } = request;
  const alone = policy === 'alone' ? findInterrupted(context, now, request.alone) : [];
  if (alone.length > 0) return alone;
  if (request.kinds !== undefined) return selectByKind(request, request.kinds);
  const all = policy === 'any' ? 1 : 0;
  const retries = due.all(now, all, Math.min(maxEvents, maxRetries));
  const some = retries.slice(0, minRetries);
  some.push(...ready.all(all, maxEvents - some.length));
  return [...some, ...retries.slice(minRetries, minRetries + maxEvents - some.length)];
}

/** Reads and changes the alerts about dead letters. Every method runs within a transaction. */
export interface AlertOperations {
  claimAlert(now: number, leaseMs: number): DeadLetterAlert | undefined;
  /** Ends an alert, or lets it be claimed again at a time. */
  settleAlert(alert: AlertReference, at: number | undefined): void;
}

/** Prepares the statements for a connection. */
export function createAlerts(database: DatabaseSync): AlertOperations {
  // Without its receipt, an event has no identifier.
  const find = (condition: string) =>
    database.prepare(
      `SELECT seq FROM inbox_events AS e WHERE state = 'dead' AND alerted = 0 AND ${condition}
         AND EXISTS (SELECT 1 FROM inbox_receipts r WHERE r.receipt = e.receipt)
       ORDER BY alert_at, seq LIMIT 1`,
    );
  const due = find('alert_at <= ?');
  // A time that is later than any delay was written before the clock was set back.
  const misdated = find('alert_at > ?');
  const lease = database.prepare(
    'UPDATE inbox_events SET alert_at = ?, alerts = alerts + 1 WHERE seq = ?',
  );
  const load = (columns: string) =>
    database.prepare(
      `SELECT ${columns}, e.claims, e.alerts FROM inbox_events e JOIN inbox_receipts r USING (receipt)
       WHERE e.seq = ?`,
    );
  const [loadEvent, loadPayload] = [load(eventColumns), load(payloadColumns)];
  const settle = database.prepare(
    `UPDATE inbox_events SET alerted = ?, alert_at = ?
     WHERE receipt = (SELECT receipt FROM inbox_receipts WHERE id = ?) AND position = ?
       AND state = 'dead' AND claims = ? AND alerts = ?`,
  );
  return {
    claimAlert(now, leaseMs) {
      const dueRow = due.get(now) ?? misdated.get(now + maxAlertDelayMs);
      if (dueRow === undefined) return undefined;
      const seq = integer(dueRow, 'seq');
      lease.run(now + leaseMs, seq);
      const row = readUndamaged(() => loadPayload.get(seq)) ?? loadEvent.get(seq);
      return row && readAlert(row);
    },
    settleAlert({ id, token, attempt }, at) {
      const parsed = parseEventId(id);
      if (parsed === undefined) return;
      const alerted = at === undefined ? 1 : 0;
      settle.run(alerted, at ?? 0, parsed.receiptId, parsed.position, token, attempt);
    },
  };
}
