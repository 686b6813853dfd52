import type { DatabaseSync } from 'node:sqlite';
import { BlockedCount } from '../blocked-count.ts';
import { InboxError } from '../inbox-error.ts';
import { eventId } from '../receipt-id.ts';
import type { Receipt, ReceivedEvent, StoreResult } from '../receipt.ts';
import { storedIdentityOf } from '../replacement.ts';
import { createCountBlocked } from './blocked.ts';
import { createIdentities } from './identities.ts';
import type { KeyQueue } from './key-queue.ts';
import { integer } from '../row.ts';

/** Writes a receipt within a transaction. */
export type ReceiveReceipt = (
  receipt: Receipt,
  maxBacklogEvents: number | undefined,
) => readonly StoreResult[];

/** Prepares the statements for a connection. */
export function createReceive(database: DatabaseSync, keys: KeyQueue): ReceiveReceipt {
  const identities = createIdentities(database);
  const countBlocked = createCountBlocked(database);
  const blockedCount = new BlockedCount();
  const countUnfinished = database.prepare(
    `SELECT sum(events) AS events FROM inbox_counts
     WHERE name IN ('ready', 'waiting', 'retry', 'working')`,
  );
  const insertReceipt = database.prepare(
    `INSERT INTO inbox_receipts (id, received_at, method, target, headers, body, verdict, events)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertEvent = database.prepare(
    `INSERT INTO inbox_events (receipt, position, received_at, kind, order_key, identity, state)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );

  /** Returns the events whose identities are new, and the identities of the others. */
  function deduplicate(receipt: Receipt): {
    results: StoreResult[];
    fresh: [position: number, event: ReceivedEvent][];
    repeated: string[];
  } {
    const results: StoreResult[] = [];
    const fresh: [number, ReceivedEvent][] = [];
    const repeated: string[] = [];
    const inReceipt = new Map<string, string>();
    for (const [position, event] of receipt.events.entries()) {
      const stored = storedIdentityOf(
        event,
        (identity) => identities.ownerOf(identity) ?? inReceipt.get(identity),
      );
      const id = eventId(receipt.id, position);
      if (stored === undefined) {
        fresh.push([position, event]);
        if (event.identity !== undefined) inReceipt.set(event.identity, id);
        results.push({ status: 'stored', id });
      } else {
        repeated.push(stored.identity);
        results.push({ status: 'duplicate', id: stored.owner });
      }
    }
    return { results, fresh, repeated };
  }

  /** Returns how many events are blocked. */
  function blocked(now: number): number {
    const startedAt = performance.now();
    return blockedCount.get() ?? blockedCount.keep(countBlocked(now).events, startedAt);
  }

  return (receipt, maxBacklogEvents) => {
    const { results, fresh, repeated } = deduplicate(receipt);
    if (maxBacklogEvents !== undefined && fresh.length > 0) {
      const row = countUnfinished.get();
      const unfinished = row === undefined ? 0 : integer(row, 'events');
      // What is blocked is only counted where it decides.
      const isAbove = unfinished + fresh.length > maxBacklogEvents;
      if (isAbove && unfinished - blocked(receipt.receivedAt) + fresh.length > maxBacklogEvents)
        throw new InboxError(
          'backlog-full',
          `The inbox has its maximum of ${maxBacklogEvents} events to handle`,
        );
    }
    if (fresh.length > 0) {
      const { lastInsertRowid } = insertReceipt.run(
        receipt.id,
        receipt.receivedAt,
        receipt.method,
        receipt.target,
        JSON.stringify(receipt.headers),
        receipt.body,
        receipt.verdict ?? null,
        receipt.events.length,
      );
      for (const [position, event] of fresh) {
        const { kind, identity } = event;
        const orderKey = keys.keyOf(event);
        const waits = orderKey !== null && keys.occupied(orderKey);
        insertEvent.run(
          lastInsertRowid,
          position,
          receipt.receivedAt,
          kind ?? null,
          orderKey,
          identity ?? null,
          waits ? 'waiting' : 'ready',
        );
        if (identity !== undefined)
          identities.keep(identity, eventId(receipt.id, position), receipt.receivedAt);
      }
    }
    for (const identity of repeated) identities.countRepetition(identity);
    return results;
  };
}

/** Prepares the statements that write a receipt and delete it. */
export function createTryToStore(database: DatabaseSync): () => void {
  const insert = database.prepare(
    `INSERT INTO inbox_receipts (id, received_at, method, target, headers, body, events)
     VALUES ('probe', 0, '', '', '[]', zeroblob(16384), 0)`,
  );
  const remove = database.prepare("DELETE FROM inbox_receipts WHERE id = 'probe'");
  return () => {
    insert.run();
    remove.run();
  };
}
