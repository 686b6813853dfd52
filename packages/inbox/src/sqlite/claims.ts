import type { DatabaseSync } from 'node:sqlite';
import { parseEventId } from '../receipt-id.ts';
import { maxLeaseMs, type Claim } from '../store.ts';
import type { KeyQueue } from './key-queue.ts';
import type { BareClaim } from '../payloads.ts';
import { eventColumns, readEvent, readPayload } from '../read-event.ts';
import { integer, optionalText, type Row } from '../row.ts';
import { createReplace, type ReplaceClaimed } from './replace.ts';

/** Identifies a claim in the database. */
export interface ClaimReference {
  readonly id: string;
  readonly token: number;
}

/** Returns what identifies a claim. */
export function referenceOf({ event, token }: Claim): ClaimReference {
  return { id: event.id, token };
}

/** Changes claims. Every method runs within a transaction. Those that return a boolean return false for a lost claim. */
export interface Claims {
  /** Reads the payload of each receipt once, and none of those that are known. */
  claim(request: {
    owner: string;
    limit: number;
    leaseMs: number;
    now: number;
    known: readonly string[];
  }): BareClaim[];
  extend(claims: readonly ClaimReference[], leaseUntil: number): string[];
  complete(claim: ClaimReference, now: number): boolean;
  fail(claim: ClaimReference, failure: { error: string; at: number; now: number }): boolean;
  bury(
    claim: ClaimReference,
    failure: { error: string; after: 'wait' | 'skip'; now: number },
  ): boolean;
  replace: ReplaceClaimed;
  release(claims: readonly ClaimReference[]): void;
  /** Makes failed events claimable whose failure is recorded in the future: the clock was set back. */
  correctClock(now: number): void;
}

/** Prepares the statements for a connection. */
export function createClaims(database: DatabaseSync, keys: KeyQueue): Claims {
  // A lease that ends later than any lease can was given before the clock was set back.
  const expired = database.prepare(
    `SELECT seq, order_key FROM inbox_events
     WHERE state = 'working' AND (lease_until <= ? OR lease_until > ?)`,
  );
  const interrupt = database.prepare(
    `UPDATE inbox_events
     SET state = iif(retry_at IS NULL, 'ready', 'retry'), owner = NULL, lease_until = NULL,
       interruptions = interruptions + 1
     WHERE seq = ?`,
  );
  const due = database.prepare(
    "SELECT seq FROM inbox_events WHERE state = 'retry' AND retry_at <= ? ORDER BY retry_at LIMIT ?",
  );
  const ready = database.prepare(
    "SELECT seq FROM inbox_events WHERE state = 'ready' ORDER BY seq LIMIT ?",
  );
  const take = database.prepare(
    `UPDATE inbox_events SET state = 'working', owner = ?, lease_until = ?, claims = claims + 1
     WHERE seq = ?`,
  );
  const load = database.prepare(
    `SELECT ${eventColumns}, e.receipt, e.claims FROM inbox_events e JOIN inbox_receipts r USING (receipt)
     WHERE e.seq = ?`,
  );
  const loadPayload = database.prepare(
    'SELECT method, target, headers, body FROM inbox_receipts WHERE receipt = ?',
  );
  const find = database.prepare(
    `SELECT e.seq, e.order_key FROM inbox_receipts r JOIN inbox_events e USING (receipt)
     WHERE r.id = ? AND e.position = ? AND e.state = 'working' AND e.claims = ?`,
  );
  const renew = database.prepare('UPDATE inbox_events SET lease_until = ? WHERE seq = ?');
  const finish = database.prepare(
    `UPDATE inbox_events
     SET state = 'done', queued = 0, owner = NULL, lease_until = NULL, retry_at = NULL, finished_at = ?
     WHERE seq = ?`,
  );
  const postpone = database.prepare(
    `UPDATE inbox_events
     SET state = 'retry', retry_at = ?, failed_at = ?, error = ?, attempts = attempts + 1,
       owner = NULL, lease_until = NULL
     WHERE seq = ?`,
  );
  const kill = database.prepare(
    `UPDATE inbox_events
     SET state = 'dead', queued = ?, retry_at = NULL, error = ?, attempts = attempts + 1,
       owner = NULL, lease_until = NULL, finished_at = ?
     WHERE seq = ?`,
  );
  const giveBack = database.prepare(
    `UPDATE inbox_events
     SET state = iif(retry_at IS NULL, 'ready', 'retry'), owner = NULL, lease_until = NULL
     WHERE seq = ?`,
  );
  const makeDue = database.prepare(
    "UPDATE inbox_events SET retry_at = ? WHERE state = 'retry' AND failed_at > ?",
  );

  function findClaimed({ id, token }: ClaimReference): Row | undefined {
    const parsed = parseEventId(id);
    return parsed && find.get(parsed.receiptId, parsed.position, token);
  }

  /** Runs a change if the claim is still held, and settles the key of its event. */
  function change(reference: ClaimReference, run: (seq: number) => void): boolean {
    const row = findClaimed(reference);
    if (row === undefined) return false;
    run(integer(row, 'seq'));
    const key = optionalText(row, 'order_key');
    if (key !== undefined) keys.settle(key);
    return true;
  }

  return {
    claim({ owner, limit, leaseMs, now, known }) {
      for (const row of expired.all(now, now + maxLeaseMs)) {
        interrupt.run(integer(row, 'seq'));
        const key = optionalText(row, 'order_key');
        if (key !== undefined) keys.settle(key);
      }
      const found = due.all(now, limit);
      if (found.length < limit) found.push(...ready.all(limit - found.length));
      const claims: BareClaim[] = [];
      const read = new Set(known);
      for (const row of found) {
        const seq = integer(row, 'seq');
        take.run(owner, now + leaseMs, seq);
        const taken = load.get(seq);
        if (taken === undefined) throw new TypeError('An event has no receipt');
        const event = readEvent(taken);
        const claim = { event, token: integer(taken, 'claims') };
        const payload = read.has(event.receiptId)
          ? undefined
          : loadPayload.get(integer(taken, 'receipt'));
        read.add(event.receiptId);
        claims.push(payload === undefined ? claim : { ...claim, payload: readPayload(payload) });
      }
      return claims;
    },
    extend(claims, leaseUntil) {
      const lost: string[] = [];
      for (const claim of claims)
        if (!change(claim, (seq) => renew.run(leaseUntil, seq))) lost.push(claim.id);
      return lost;
    },
    complete: (claim, now) => change(claim, (seq) => finish.run(now, seq)),
    fail: (claim, { error, at, now }) => change(claim, (seq) => postpone.run(at, now, error, seq)),
    bury: (claim, { error, after, now }) =>
      change(claim, (seq) => kill.run(after === 'wait' ? 1 : 0, error, now, seq)),
    replace: createReplace(database, keys, (reference) => {
      const row = findClaimed(reference);
      return row && integer(row, 'seq');
    }),
    release(claims) {
      for (const claim of claims) change(claim, (seq) => giveBack.run(seq));
    },
    correctClock(now) {
      makeDue.run(now, now);
    },
  };
}
