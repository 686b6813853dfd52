import { randomUUID } from 'node:crypto';
import type { BlockedCount } from '../blocked-count.ts';
import { InboxError } from '../inbox-error.ts';
import { eventId } from '../receipt-id.ts';
import type { Receipt, ReceivedEvent, StoreResult } from '../receipt.ts';
import { optionalInteger, text } from '../row.ts';
import { countBlocked } from './blocked.ts';
import type { Query } from './connection.ts';
import { identityDigest, joinedKey, type KeyedEvent, lock, lockOf, toKeyed } from './locks.ts';
import type { PostgresSettings, Tables } from './options.ts';

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
export interface PreparedReceipt {
  readonly receipt: Receipt;
  readonly maxBacklogEvents: number | undefined;
  readonly events: readonly PreparedEvent[];
  readonly locks: ReadonlySet<string>;
}

/** What was done with a receipt. */
export type ReceiptResult = readonly StoreResult[] | InboxError;

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
