import { createHash } from 'node:crypto';
import type { Query } from './connection.ts';

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
 */
export async function lock(query: Query, numbers: Iterable<string>): Promise<void> {
  const sorted = [...new Set(numbers)].toSorted();
  if (sorted.length === 0) return;
  if (sorted.length > maxLocks) {
    await lockAll(query);
    return;
  }
  await query(
    `SELECT pg_advisory_xact_lock_shared($1::bigint) IS NULL
     UNION ALL SELECT pg_advisory_xact_lock(number) IS NULL FROM unnest($2::bigint[]) AS number`,
    [allQueues, sorted],
  );
}

/** Returns a statement that locks one queue until the end of the transaction. */
export function lockStatement(queue: string): string {
  return `SELECT pg_advisory_xact_lock_shared(${allQueues}) IS NULL, pg_advisory_xact_lock(${queue}) IS NULL`;
}

/** Locks all queues and identities until the end of the transaction. */
export async function lockAll(query: Query): Promise<void> {
  await query('SELECT pg_advisory_xact_lock($1::bigint)', [allQueues]);
}
