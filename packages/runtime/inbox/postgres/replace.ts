import { eventId } from '../receipt-id.ts';
import type { DeliveryContent } from '../receipt.ts';
import { withoutRepetitions } from '../replacement.ts';
import { integer, text } from '../row.ts';
import type { Claim } from '../store.ts';
import type { Query } from './connection.ts';
import { identityDigest, joinedKey, lock, lockOf, queueOf, toKeyed } from './locks.ts';
import { settle } from './operate.ts';
import type { PostgresSettings } from './options.ts';
import { countRepetitions, findIdentities } from './receive.ts';

/**
 * Replaces a claimed event by those of its delivery, within a transaction. Locks the queues and identities of all of
 * them until its end. Returns false if the claim was lost.
 * @param condition a condition without which the claim counts as lost
 */
export async function replaceClaimed(
  query: Query,
  settings: PostgresSettings,
  { event: claimed, token }: Claim,
  { count, events }: DeliveryContent,
  condition: string,
): Promise<boolean> {
  const { tables } = settings;
  const { receiptId, position, orderKey } = claimed;
  const keyed = events.map(toKeyed);
  const digests = events.flatMap(({ identity }) =>
    identity === undefined ? [] : [identityDigest(identity)],
  );
  const ownQueues = orderKey === undefined ? [] : [queueOf(orderKey)];
  const occupied = await lock(
    query,
    tables,
    [...ownQueues, ...keyed.flatMap(({ queue }) => queue ?? []), ...digests.map(lockOf)],
    keyed.flatMap(({ formerQueue }) => formerQueue ?? []),
  );
  const prepared = events.map((event, index) => ({
    ...event,
    joined: joinedKey(keyed[index] ?? toKeyed(event), occupied),
    digest: event.identity === undefined ? undefined : identityDigest(event.identity),
  }));
  const queues = [...ownQueues, ...prepared.flatMap(({ joined }) => joined.queue ?? [])];
  const [row] = await query(
    `SELECT seq::text AS seq, received_at FROM ${tables.events}
     WHERE receipt_id = $1 AND position = $2 AND claims = $3 AND state = 'working' AND ${condition} FOR UPDATE`,
    [receiptId, position, token],
  );
  if (row === undefined) return false;
  const seq = text(row, 'seq');
  const receivedAt = integer(row, 'received_at');
  const owners = await findIdentities(query, tables, [
    ...digests,
    ...events.flatMap(({ formerIdentity }) =>
      formerIdentity === undefined ? [] : [identityDigest(formerIdentity)],
    ),
  ]);
  const { fresh, repeated } = withoutRepetitions(receiptId, prepared, (identity) =>
    owners.get(identityDigest(identity).toString('hex')),
  );
  const [first, ...furtherEvents] = fresh;
  if (first === undefined) {
    await query(`DELETE FROM ${tables.events} WHERE seq = $1`, [seq]);
    await query(`DELETE FROM ${tables.receipts} WHERE id = $1`, [receiptId]);
  } else {
    // The first event keeps the place of the one that is replaced. The number of claims is kept: an earlier holder of
    // the event must not take the token of a later one for its own.
    await query(
      `UPDATE ${tables.events}
       SET position = $2, kind = $3, order_key = $4, queue = $5, identity = $6, identified = 1, queued = true,
         state = CASE WHEN $5::bigint IS NULL THEN 'ready' ELSE 'waiting' END, attempts = 0, ends = 0,
         owner = NULL, lease_until = NULL, retry_at = NULL, failed_at = NULL, error = NULL, rejection = NULL
       WHERE seq = $1`,
      [
        seq,
        first.position,
        first.kind ?? null,
        first.joined.orderKey ?? null,
        first.joined.queue ?? null,
        first.identity ?? null,
      ],
    );
    await query(`UPDATE ${tables.receipts} SET events = $2 WHERE id = $1`, [receiptId, count]);
  }
  if (furtherEvents.length > 0)
    await query(
      `INSERT INTO ${tables.events}
         (receipt_id, received_at, identified, position, kind, order_key, queue, identity, state)
       SELECT $1::text, $2::bigint, 1, n.position, n.kind, n.order_key, n.queue, n.identity,
         CASE WHEN n.queue IS NULL THEN 'ready' ELSE 'waiting' END
       FROM unnest($3::integer[], $4::text[], $5::text[], $6::bigint[], $7::text[])
         AS n (position, kind, order_key, queue, identity)
       ORDER BY n.position`,
      [
        receiptId,
        receivedAt,
        furtherEvents.map((event) => event.position),
        furtherEvents.map(({ kind }) => kind ?? null),
        furtherEvents.map(({ joined }) => joined.orderKey ?? null),
        furtherEvents.map(({ joined }) => joined.queue ?? null),
        furtherEvents.map(({ identity }) => identity ?? null),
      ],
    );
  const identified = fresh.filter(({ digest }) => digest !== undefined);
  await query(
    `INSERT INTO ${tables.identities} (identity, event_id, stored_at)
     SELECT identity, event_id, $3::bigint FROM unnest($1::bytea[], $2::text[]) AS n (identity, event_id)
     ON CONFLICT (identity) DO NOTHING`,
    [
      identified.map(({ digest }) => digest),
      identified.map((event) => eventId(receiptId, event.position)),
      receivedAt,
    ],
  );
  const repetitions = new Map<string, number>();
  for (const identity of repeated) {
    const digest = identityDigest(identity).toString('hex');
    repetitions.set(digest, (repetitions.get(digest) ?? 0) + 1);
  }
  if (repetitions.size > 0) await countRepetitions(query, tables, repetitions);
  await settle(query, settings, queues);
  return true;
}
