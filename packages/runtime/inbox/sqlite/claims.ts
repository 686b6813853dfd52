import type { DatabaseSync } from 'node:sqlite';
import { parseEventId } from '../receipt-id.ts';
import { writeRejection } from '../rejection.ts';
import {
  interruptionRestMs,
  maxLeaseMs,
  type Claim,
  type ClaimRequest,
  type Failure,
  type InterruptedSelection,
} from '../store.ts';
import type { ClaimReference } from './claim-reference.ts';
import type { KeyQueue } from './key-queue.ts';
import type { BareClaim, Payload } from '../payloads.ts';
import { eventColumns, readEvent, readPayload } from '../read-event.ts';
import { integer, optionalText, type Row } from '../row.ts';
import { createSelectByKind } from './select-by-kind.ts';
import { createReplace, type ReplaceClaimed } from './replace.ts';

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
export function readUndamaged(read: () => Row | undefined): Row | undefined {
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
