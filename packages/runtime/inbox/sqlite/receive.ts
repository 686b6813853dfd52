// Stores receipts in SQLite, in the order of their keys.

import type { DatabaseSync } from 'node:sqlite';
import { InboxError } from '../errors.ts';
import {
  BlockedCount,
  integer,
  optionalInteger,
  optionalText,
  storedIdentityOf,
  text,
  withoutRepetitions,
} from '../rows.ts';
import {
  type DeliveryContent,
  eventId,
  type Receipt,
  type ReceivedEvent,
  type StoreResult,
} from '../store.ts';

/** Identifies a claim in the database. */
export interface ClaimReference {
  readonly id: string;
  readonly token: number;
}

/** The identities that were stored. Its methods run within a transaction. */
interface Identities {
  /** Returns the identifier of the event that was stored first with an identity. */
  ownerOf(identity: string): string | undefined;
  /** Stores an identity, unless it is stored already. */
  keep(identity: string, eventId: string, storedAt: number): void;
  countRepetition(identity: string): void;
}

/** Prepares the statements for a connection. */
function createIdentities(database: DatabaseSync): Identities {
  const find = database.prepare('SELECT event_id FROM inbox_identities WHERE identity = ?');
  const insert = database.prepare(
    `INSERT INTO inbox_identities (identity, event_id, stored_at) VALUES (?, ?, ?)
     ON CONFLICT (identity) DO NOTHING`,
  );
  const countOfIdentity = database.prepare(
    'UPDATE inbox_identities SET repetitions = repetitions + 1 WHERE identity = ?',
  );
  const countOfAll = database.prepare(
    "UPDATE inbox_counts SET events = events + 1 WHERE name = 'duplicates'",
  );
  return {
    ownerOf(identity) {
      const row = find.get(identity);
      return row === undefined ? undefined : text(row, 'event_id');
    },
    keep: (identity, eventId, storedAt) => void insert.run(identity, eventId, storedAt),
    countRepetition(identity) {
      countOfAll.run();
      countOfIdentity.run(identity);
    },
  };
}

/** Keeps the events of one key in the order of their commits. Its methods run within a transaction. */
export interface KeyQueue {
  /** Returns whether the key has events that are not finished, or a dead event that it waits for. */
  occupied(key: string): boolean;
  /** Returns the key whose queue an event joins: its former one while that queue has events, `null` without a key. */
  keyOf(event: ReceivedEvent): string | null;
  /** Makes the first event of a key claimable, and no other, unless an event of the key is in work. */
  settle(key: string): void;
}

/** Prepares the statements for a connection. */
export function createKeyQueue(database: DatabaseSync): KeyQueue {
  const anyOfKey = database.prepare(
    'SELECT 1 FROM inbox_events WHERE queued = 1 AND order_key = ? LIMIT 1',
  );
  const workingOfKey = database.prepare(
    "SELECT 1 FROM inbox_events WHERE queued = 1 AND order_key = ? AND state = 'working' LIMIT 1",
  );
  const frontOfKey = database.prepare(
    `SELECT seq, state FROM inbox_events
     WHERE queued = 1 AND order_key = ? AND state IN ('ready', 'retry', 'dead') ORDER BY seq`,
  );
  const firstWaiting = database.prepare(
    `SELECT seq, retry_at FROM inbox_events
     WHERE queued = 1 AND order_key = ? AND state = 'waiting' ORDER BY seq LIMIT 1`,
  );
  const setState = database.prepare('UPDATE inbox_events SET state = ? WHERE seq = ?');

  const occupied = (key: string): boolean => anyOfKey.get(key) !== undefined;

  return {
    occupied,
    keyOf({ orderKey = null, formerOrderKey }) {
      return formerOrderKey !== undefined && occupied(formerOrderKey) ? formerOrderKey : orderKey;
    },
    settle(key) {
      if (workingOfKey.get(key) !== undefined) return;
      const front = frontOfKey.all(key);
      const waiting = firstWaiting.get(key);
      const next = waiting === undefined ? Infinity : integer(waiting, 'seq');
      const head = Math.min(next, ...front.map((row) => integer(row, 'seq')));
      // An operator can put an earlier event back in front of one that was claimable.
      for (const row of front)
        if (integer(row, 'seq') !== head && text(row, 'state') !== 'dead')
          setState.run('waiting', integer(row, 'seq'));
      if (waiting === undefined || head !== next) return;
      setState.run(optionalInteger(waiting, 'retry_at') === undefined ? 'ready' : 'retry', head);
    },
  };
}

/** What waits for a later attempt, or for an operator. */
interface Blocked {
  readonly events: number;
  readonly keys: number;
}

/** Prepares the statement that counts what is blocked. */
export function createCountBlocked(database: DatabaseSync): (now: number) => Blocked {
  const count = database.prepare(`
    WITH heads AS MATERIALIZED (
      SELECT order_key FROM inbox_events INDEXED BY inbox_events_dead
        WHERE state = 'dead' AND queued = 1 AND order_key IS NOT NULL
      UNION SELECT order_key FROM inbox_events INDEXED BY inbox_events_retry
        WHERE state = 'retry' AND retry_at > ?1 AND order_key IS NOT NULL
    )
    SELECT (SELECT count(*) FROM heads) AS keys,
      (SELECT count(*) FROM inbox_events INDEXED BY inbox_events_retry
         WHERE state = 'retry' AND retry_at > ?1)
      + (SELECT count(*) FROM heads CROSS JOIN inbox_events e ON e.order_key = heads.order_key
         WHERE e.queued = 1 AND e.order_key IS NOT NULL AND e.state = 'waiting') AS events`);
  return (now) => {
    const row = count.get(now);
    return row === undefined
      ? { events: 0, keys: 0 }
      : { events: integer(row, 'events'), keys: integer(row, 'keys') };
  };
}

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
