import { createHash } from 'node:crypto';
import type { Query } from './connection.ts';
import type { ReceivedEvent } from '../receipt.ts';
import { optionalText, text } from '../row.ts';
import type { Tables } from './options.ts';

/** The lock that every transaction holds which changes queues: exclusively, or shared with locks of its own. */
const allQueues = digest64('all queues of the inbox');

/** The maximum number of locks of one transaction. The lock table of the server is limited. */
export const maxLocks = 256;

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
export interface QueuedKey {
  readonly orderKey: string | undefined;
  readonly queue: string | undefined;
}

/** An event with the queues of its keys. */
export interface KeyedEvent extends QueuedKey {
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
