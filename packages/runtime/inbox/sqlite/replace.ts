import type { DatabaseSync } from 'node:sqlite';
import type { DeliveryContent } from '../receipt.ts';
import { eventId } from '../receipt-id.ts';
import { withoutRepetitions } from '../replacement.ts';
import { integer, optionalText, text } from '../row.ts';
import type { ClaimReference } from './claim-reference.ts';
import type { KeyQueue } from './key-queue.ts';
import { createIdentities } from './identities.ts';

/** Replaces a claimed event by those of its delivery, within a transaction. Returns false if the claim was lost. */
export type ReplaceClaimed = (claim: ClaimReference, content: DeliveryContent) => boolean;

/** Prepares the statements for a connection. */
export function createReplace(
  database: DatabaseSync,
  keys: KeyQueue,
  findClaimed: (claim: ClaimReference) => number | undefined,
): ReplaceClaimed {
  const identities = createIdentities(database);
  const load = database.prepare(
    `SELECT e.receipt, e.order_key, e.received_at, r.id AS receipt_id
     FROM inbox_events e JOIN inbox_receipts r USING (receipt) WHERE e.seq = ?`,
  );
  // The number of claims is kept: an earlier holder of the event must not take the token of a later one for its own.
  const change = database.prepare(
    `UPDATE inbox_events
     SET position = ?, kind = ?, order_key = ?, identity = ?, state = ?, identified = 1, queued = 1, attempts = 0, ends = 0,
       owner = NULL, lease_until = NULL, retry_at = NULL, failed_at = NULL, error = NULL, rejection = NULL
     WHERE seq = ?`,
  );
  const insert = database.prepare(
    `INSERT INTO inbox_events
       (position, kind, order_key, identity, state, identified, receipt, received_at)
     VALUES (?, ?, ?, ?, ?, 1, ?, ?)`,
  );
  const recount = database.prepare('UPDATE inbox_receipts SET events = ? WHERE receipt = ?');
  const remove = database.prepare('DELETE FROM inbox_events WHERE seq = ?');
  const removeReceipt = database.prepare('DELETE FROM inbox_receipts WHERE receipt = ?');

  return (claim, { count, events }) => {
    const seq = findClaimed(claim);
    const row = seq === undefined ? undefined : load.get(seq);
    if (seq === undefined || row === undefined) return false;
    const receipt = integer(row, 'receipt');
    const receiptId = text(row, 'receipt_id');
    const receivedAt = integer(row, 'received_at');
    const { fresh, repeated } = withoutRepetitions(receiptId, events, (identity) =>
      identities.ownerOf(identity),
    );
    const queues = new Set([optionalText(row, 'order_key') ?? null]);
    if (fresh.length === 0) {
      remove.run(seq);
      removeReceipt.run(receipt);
    } else {
      recount.run(count, receipt);
    }
    for (const [index, event] of fresh.entries()) {
      const { position, kind, identity } = event;
      const orderKey = keys.keyOf(event);
      const state = orderKey === null ? 'ready' : 'waiting';
      const values = [position, kind ?? null, orderKey, identity ?? null, state];
      // The first event keeps the place of the one that is replaced.
      if (index === 0) change.run(...values, seq);
      else insert.run(...values, receipt, receivedAt);
      if (identity !== undefined)
        identities.keep(identity, eventId(receiptId, position), receivedAt);
      queues.add(orderKey);
    }
    for (const identity of repeated) identities.countRepetition(identity);
    for (const key of queues) if (key !== null) keys.settle(key);
    return true;
  };
}
