// Stores receipts in Postgres, in the order of their keys.

import { createHash, randomUUID } from 'node:crypto';
import { InboxError, isInboxError } from '../errors.ts';
import { type BlockedCount, optionalInteger, optionalText, text } from '../rows.ts';
import { eventId, type Receipt, type ReceivedEvent, type StoreResult } from '../store.ts';
import {
  type PostgresSettings,
  type Query,
  sqlState,
  type Tables,
  toStoreError,
} from './connection.ts';

/** The lock that every transaction holds which changes queues: exclusively, or shared with locks of its own. */
const allQueues = digest64('all queues of the inbox');

/** The maximum number of locks of one transaction. The lock table of the server is limited. */
const maxLocks = 256;

/** Returns 64 bits of a digest, as the text of a `bigint`. */
function digest64(value: string): string {
  return createHash('sha256').update(value, 'utf16le').digest().readBigInt64BE().toString();
}

/** Returns the number of the queue of a key. It is also the number of its lock. */
export function queueOf(orderKey: string): string {
  return digest64(orderKey);
}

/** Returns the digest of an identity, under which it is stored. */
export function identityDigest(identity: string): Buffer {
  return createHash('sha256').update(identity, 'utf16le').digest();
}

/** Returns the number of the lock of an identity's digest. */
export function lockOf(identity: Uint8Array): string {
  return Buffer.from(identity).readBigInt64BE().toString();
}

/**
 * Locks queues and identities until the end of the transaction. Later statements of the transaction see everything that
 * earlier holders committed. The locks are taken in one order, so that two transactions never wait for each other.
 * @param former the queues of former keys, which are locked only if they have events
 * @returns the queues of former keys that were locked, and still have events
 */
export async function lock(
  query: Query,
  tables: Tables,
  numbers: Iterable<string>,
  former: readonly string[],
): Promise<ReadonlySet<string>> {
  const sorted = [...new Set(numbers)].toSorted();
  if (sorted.length === 0) return new Set();
  if (sorted.length > maxLocks) {
    await lockAll(query);
    return await occupiedOf(query, tables, former);
  }
  const locked = await query(
    `SELECT NULL AS number, pg_advisory_xact_lock_shared($1::bigint) IS NULL AS locked
     UNION ALL SELECT number::text, pg_advisory_xact_lock(number) IS NULL FROM (
       SELECT number FROM (
         SELECT unnest($2::bigint[]) AS number
         UNION SELECT queue FROM ${tables.events} WHERE queued AND queue = ANY ($3::bigint[])
       ) AS united ORDER BY number::text COLLATE "C"
     ) AS numbers`,
    [allQueues, sorted, former],
  );
  const numbersLocked = new Set(locked.map((row) => optionalText(row, 'number')));
  return await occupiedOf(
    query,
    tables,
    former.filter((number) => numbersLocked.has(number)),
  );
}

async function occupiedOf(
  query: Query,
  tables: Tables,
  queues: readonly string[],
): Promise<ReadonlySet<string>> {
  if (queues.length === 0) return new Set();
  const rows = await query(
    `SELECT DISTINCT queue::text AS queue FROM ${tables.events}
     WHERE queued AND queue = ANY ($1::bigint[])`,
    [queues],
  );
  return new Set(rows.map((row) => text(row, 'queue')));
}

/** A key of an event, and the number of its queue. */
interface QueuedKey {
  readonly orderKey: string | undefined;
  readonly queue: string | undefined;
}

/** An event with the queues of its keys. */
interface KeyedEvent extends QueuedKey {
  readonly formerOrderKey: string | undefined;
  readonly formerQueue: string | undefined;
}

/** Returns an event's keys with their queues. */
export function toKeyed({ orderKey, formerOrderKey }: ReceivedEvent): KeyedEvent {
  return {
    orderKey,
    queue: orderKey === undefined ? undefined : queueOf(orderKey),
    formerOrderKey,
    formerQueue: formerOrderKey === undefined ? undefined : queueOf(formerOrderKey),
  };
}

/** Returns the key whose queue an event joins: its former one while that queue has events. */
export function joinedKey(event: KeyedEvent, occupied: ReadonlySet<string>): QueuedKey {
  const { orderKey, queue, formerOrderKey, formerQueue } = event;
  return formerQueue !== undefined && occupied.has(formerQueue)
    ? { orderKey: formerOrderKey, queue: formerQueue }
    : { orderKey, queue };
}

/** Returns a statement that locks one queue until the end of the transaction. */
export function lockStatement(queue: string): string {
  return `SELECT pg_advisory_xact_lock_shared(${allQueues}) IS NULL, pg_advisory_xact_lock(${queue}) IS NULL`;
}

/** Locks all queues and identities until the end of the transaction. */
export async function lockAll(query: Query): Promise<void> {
  await query('SELECT pg_advisory_xact_lock($1::bigint)', [allQueues]);
}

/** Returns a query of the events (`events`) and keys (`keys`) that wait for a later attempt, or for an operator. */
export function countBlocked({ tables, now }: PostgresSettings): string {
  const later = `state = 'retry' AND retry_at > ${now()}`;
  return `WITH heads AS MATERIALIZED (
      SELECT queue FROM ${tables.events} WHERE state = 'dead' AND queued AND queue IS NOT NULL
      UNION SELECT queue FROM ${tables.events} WHERE ${later} AND queue IS NOT NULL
    )
    SELECT (SELECT count(*) FROM heads) AS keys,
      (SELECT count(*) FROM ${tables.events} WHERE ${later})
      + (SELECT count(*) FROM heads JOIN ${tables.events} AS e ON e.queue = heads.queue
         WHERE e.queued AND e.queue IS NOT NULL AND e.state = 'waiting') AS events`;
}

/** An event with the digests that the database uses. */
interface PreparedEvent {
  readonly event: ReceivedEvent;
  readonly id: string;
  readonly position: number;
  readonly keyed: KeyedEvent;
  readonly identity: Buffer | undefined;
  readonly formerIdentity: Buffer | undefined;
}

/** A receipt before it is written. */
interface PreparedReceipt {
  readonly receipt: Receipt;
  readonly maxBacklogEvents: number | undefined;
  readonly events: readonly PreparedEvent[];
  readonly locks: ReadonlySet<string>;
}

/** What was done with a receipt. */
type ReceiptResult = readonly StoreResult[] | InboxError;

/** Computes the digests and locks of a receipt. */
export function prepareReceipt(
  receipt: Receipt,
  maxBacklogEvents: number | undefined,
): PreparedReceipt {
  const events = receipt.events.map((event, position) => ({
    event,
    id: eventId(receipt.id, position),
    position,
    keyed: toKeyed(event),
    identity: event.identity === undefined ? undefined : identityDigest(event.identity),
    formerIdentity:
      event.formerIdentity === undefined ? undefined : identityDigest(event.formerIdentity),
  }));
  const locks = new Set<string>();
  for (const { keyed, identity } of events) {
    if (keyed.queue !== undefined) locks.add(keyed.queue);
    if (identity !== undefined) locks.add(lockOf(identity));
  }
  return { receipt, maxBacklogEvents, events, locks };
}

/** Writes a receipt of the size of a page and deletes it, within a transaction. */
export async function writeAndDeleteReceipt(
  query: Query,
  { tables }: PostgresSettings,
): Promise<void> {
  // Several processes do it at the same time.
  const id = `probe ${randomUUID()}`;
  await query(
    `INSERT INTO ${tables.receipts} (id, received_at, method, target, headers, body, events)
     VALUES ($1, 0, '', '', '[]', $2, 0)`,
    [id, Buffer.alloc(8192)],
  );
  await query(`DELETE FROM ${tables.receipts} WHERE id = $1`, [id]);
}

/** Writes receipts within a transaction, in their order. A receipt above its maximum backlog does not fail the others. */
export async function writeReceipts(
  query: Query,
  settings: PostgresSettings,
  receipts: readonly PreparedReceipt[],
  blockedCount: BlockedCount,
): Promise<readonly ReceiptResult[]> {
  const { tables } = settings;
  const occupied = await lock(
    query,
    tables,
    receipts.flatMap(({ locks }) => [...locks]),
    receipts.flatMap(({ events }) => events.flatMap(({ keyed }) => keyed.formerQueue ?? [])),
  );
  const idsByIdentity = await findIdentities(
    query,
    tables,
    receipts.flatMap(({ events }) =>
      events.flatMap(({ identity, formerIdentity }) =>
        [identity, formerIdentity].filter((digest) => digest !== undefined),
      ),
    ),
  );
  const limited = receipts.some(({ maxBacklogEvents }) => maxBacklogEvents !== undefined);
  let backlog = limited ? await countUnfinished(query, tables) : 0;
  const arriving = receipts.reduce((sum, { events }) => sum + events.length, 0);
  // What is blocked is only counted where it can decide.
  if (receipts.some(({ maxBacklogEvents = Infinity }) => backlog + arriving > maxBacklogEvents))
    backlog -= blockedCount.get() ?? (await countBlockedEvents(query, settings, blockedCount));
  const fresh: { receipt: Receipt; events: PreparedEvent[] }[] = [];
  const repetitions = new Map<string, number>();

  const results = receipts.map(({ receipt, maxBacklogEvents, events }): ReceiptResult => {
    const stored: PreparedEvent[] = [];
    const repeated: string[] = [];
    const inReceipt = new Map<string, string>();
    const answer = events.map((event): StoreResult => {
      const identity = event.identity?.toString('hex');
      const formerIdentity = event.formerIdentity?.toString('hex');
      for (const digest of [identity, formerIdentity]) {
        const first = digest && (idsByIdentity.get(digest) ?? inReceipt.get(digest));
        if (digest === undefined || first === undefined) continue;
        repeated.push(digest);
        return { status: 'duplicate', id: first };
      }
      if (identity !== undefined) inReceipt.set(identity, event.id);
      stored.push(event);
      return { status: 'stored', id: event.id };
    });
    if (
      maxBacklogEvents !== undefined &&
      stored.length > 0 &&
      backlog + stored.length > maxBacklogEvents
    )
      return new InboxError(
        'backlog-full',
        `The inbox has its maximum of ${maxBacklogEvents} events to handle`,
      );
    backlog += stored.length;
    for (const [identity, id] of inReceipt) idsByIdentity.set(identity, id);
    for (const identity of repeated)
      repetitions.set(identity, (repetitions.get(identity) ?? 0) + 1);
    if (stored.length > 0) fresh.push({ receipt, events: stored });
    return answer;
  });

  if (fresh.length > 0) await insert(query, tables, fresh, occupied);
  if (repetitions.size > 0) await countRepetitions(query, tables, repetitions);
  return results;
}

/** Returns the first event of each identity that was stored before, by the hexadecimal digest of the identity. */
export async function findIdentities(
  query: Query,
  tables: Tables,
  identities: readonly Buffer[],
): Promise<Map<string, string>> {
  if (identities.length === 0) return new Map();
  const rows = await query(
    `SELECT encode(identity, 'hex') AS identity, event_id FROM ${tables.identities}
     WHERE identity = ANY ($1::bytea[])`,
    [identities],
  );
  return new Map(rows.map((row) => [text(row, 'identity'), text(row, 'event_id')]));
}

async function countUnfinished(query: Query, tables: Tables): Promise<number> {
  const [row] = await query(
    `SELECT sum(events) AS events FROM ${tables.counts}
     WHERE name IN ('ready', 'waiting', 'retry', 'working')`,
  );
  return (row && optionalInteger(row, 'events')) ?? 0;
}

async function countBlockedEvents(
  query: Query,
  settings: PostgresSettings,
  blockedCount: BlockedCount,
): Promise<number> {
  const startedAt = performance.now();
  const [row] = await query(countBlocked(settings));
  return blockedCount.keep((row && optionalInteger(row, 'events')) ?? 0, startedAt);
}

async function insert(
  query: Query,
  tables: Tables,
  fresh: readonly { receipt: Receipt; events: readonly PreparedEvent[] }[],
  occupied: ReadonlySet<string>,
): Promise<void> {
  const receipts = fresh.map(({ receipt }) => receipt);
  const events = fresh.flatMap(({ receipt, events: stored }) =>
    stored.map((prepared) => ({ ...prepared, receipt, ...joinedKey(prepared.keyed, occupied) })),
  );
  const identified = events.filter(({ identity }) => identity !== undefined);
  // The sequence of the events is assigned in the order of the outer SELECT, under the locks of their queues.
  await query(
    `WITH receipts AS (
       INSERT INTO ${tables.receipts} (id, received_at, method, target, headers, body, verdict, events)
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::text[], $18::integer[])
     ), identities AS (
       INSERT INTO ${tables.identities} (identity, event_id, stored_at)
       SELECT * FROM unnest($8::bytea[], $9::text[], $10::bigint[])
     )
     INSERT INTO ${tables.events}
       (receipt_id, position, received_at, kind, order_key, queue, identity, state)
     SELECT n.receipt_id, n.position, n.received_at, n.kind, n.order_key, n.queue, n.identity,
       CASE WHEN n.queue IS NOT NULL AND (
         row_number() OVER (PARTITION BY n.queue ORDER BY n.place) > 1
         OR EXISTS (SELECT FROM ${tables.events} AS o WHERE o.queued AND o.queue = n.queue)
       ) THEN 'waiting' ELSE 'ready' END
     FROM unnest($11::text[], $12::integer[], $13::bigint[], $14::text[], $15::text[], $16::bigint[], $17::text[])
       WITH ORDINALITY AS n (receipt_id, position, received_at, kind, order_key, queue, identity, place)
     ORDER BY n.place`,
    [
      receipts.map(({ id }) => id),
      receipts.map(({ receivedAt }) => receivedAt),
      receipts.map(({ method }) => method),
      receipts.map(({ target }) => target),
      receipts.map(({ headers }) => JSON.stringify(headers)),
      receipts.map(({ body }) => body),
      receipts.map(({ verdict }) => verdict ?? null),
      identified.map(({ identity }) => identity),
      identified.map(({ id }) => id),
      identified.map(({ receipt }) => receipt.receivedAt),
      events.map(({ receipt }) => receipt.id),
      events.map(({ position }) => position),
      events.map(({ receipt }) => receipt.receivedAt),
      events.map(({ event }) => event.kind ?? null),
      events.map(({ orderKey }) => orderKey ?? null),
      events.map(({ queue }) => queue ?? null),
      events.map(({ event }) => event.identity ?? null),
      receipts.map((receipt) => receipt.events.length),
    ],
  );
}

/** Counts repetitions, by the hexadecimal digests of the identities. */
export async function countRepetitions(
  query: Query,
  tables: Tables,
  repetitions: ReadonlyMap<string, number>,
): Promise<void> {
  await query(
    `WITH repeated AS (
       UPDATE ${tables.identities} AS i SET repetitions = i.repetitions + r.times
       FROM unnest($1::text[], $2::bigint[]) AS r (identity, times)
       WHERE i.identity = decode(r.identity, 'hex')
     )
     INSERT INTO ${tables.counts} (name, events)
     SELECT 'duplicates', sum(times) FROM unnest($2::bigint[]) AS times`,
    [[...repetitions.keys()], [...repetitions.values()]],
  );
}

/** The maximum number of receipts in one transaction. More would delay the answer to the first. */
const maxReceipts = 128;

/** The size of the bodies, in bytes, above which a transaction takes no further receipt. */
const maxBytes = 4 * 2 ** 20;

/** The classes of errors that one receipt can cause. The transaction was rolled back. */
const classesOfOneReceipt: readonly string[] = ['22', '23', '40', '54'];

/** Writes receipts in one transaction. */
type WriteBatch = (receipts: readonly PreparedReceipt[]) => Promise<readonly ReceiptResult[]>;

/** A receipt that is not answered. */
interface Pending {
  readonly receipt: PreparedReceipt;
  readonly resolve: (events: readonly StoreResult[]) => void;
  readonly reject: (error: InboxError) => void;
}

/** Receipts that arrive while a transaction runs are written by the next one. */
interface ReceiptQueue {
  /** Rejects with `store-failed` after the time limit: the receipt was not stored, or that is not known. */
  add(receipt: PreparedReceipt): Promise<readonly StoreResult[]>;
  /** Resolves when the transactions of all receipts so far have ended. */
  drain(): Promise<void>;
}

/** Creates a queue. It runs one transaction at a time, which needs one connection. */
export function createReceiptQueue(write: WriteBatch, timeoutMs: number): ReceiptQueue {
  const queue = new Set<Pending>();
  let running: Promise<void> | undefined;

  /** Takes receipts for one transaction, at least one. */
  function take(): Pending[] {
    const taken: Pending[] = [];
    let locks = new Set<string>();
    let bytes = 0;
    for (const pending of queue) {
      const { receipt } = pending;
      const wanted = new Set([...locks, ...receipt.locks]);
      bytes += receipt.receipt.body.byteLength;
      const full = taken.length === maxReceipts || wanted.size > maxLocks || bytes > maxBytes;
      if (full && taken.length > 0) break;
      locks = wanted;
      taken.push(pending);
      queue.delete(pending);
    }
    return taken;
  }

  async function writeAll(batch: readonly Pending[]): Promise<void> {
    try {
      const results = await write(batch.map(({ receipt }) => receipt));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (isInboxError(result)) reject(result);
        else if (result !== undefined) resolve(result);
      }
    } catch (error) {
      const ofOne = classesOfOneReceipt.includes(sqlState(error)?.slice(0, 2) ?? '');
      if (ofOne && batch.length > 1) {
        // One receipt must not fail the others.
        for (const pending of batch) await writeAll([pending]);
        return;
      }
      for (const { reject } of batch) reject(toStoreError(error));
    }
  }

  async function run(): Promise<void> {
    while (queue.size > 0) await writeAll(take());
    running = undefined;
  }

  return {
    add(receipt) {
      return new Promise((resolve, reject) => {
        const pending: Pending = {
          receipt,
          resolve: (events) => {
            clearTimeout(timer);
            resolve(events);
          },
          reject: (error) => {
            clearTimeout(timer);
            reject(error);
          },
        };
        const timer = setTimeout(() => {
          queue.delete(pending);
          reject(new InboxError('store-failed', `Nothing was stored within ${timeoutMs} ms`));
        }, timeoutMs);
        queue.add(pending);
        running ??= run();
      });
    },
    async drain() {
      await running;
    },
  };
}
