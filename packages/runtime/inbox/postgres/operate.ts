// What operators see and change of the events in Postgres.

import { createFailureWarnings } from '../../base/index.ts';
import {
  addBlockers,
  blockerColumns,
  eventColumns,
  failedAtColumn,
  integer,
  noEventToContinue,
  optionalInteger,
  optionalText,
  parsePlace,
  payloadColumns,
  previewColumns,
  readAuditRecord,
  readEvent,
  readEventWithPayload,
  readPreview,
  type Row,
  text,
  toStats,
  waitingKeys,
} from '../rows.ts';
import {
  type AuditPruning,
  type AuditRecord,
  type ChangeAction,
  type ChangePreview,
  type DeletionRequest,
  type DeletionResult,
  type EventFilter,
  eventId,
  type EventPage,
  type InboxEvent,
  type InboxEventWithPayload,
  type InboxStats,
  type PageRequest,
  parseEventId,
  statesOf,
} from '../store.ts';
import type { OperationRunner, PostgresSettings, Query, Tables, Transact } from './connection.ts';
import { countBlocked, lockAll, queueOf } from './receive.ts';

/** A condition over `inbox_events e`, with its parameters from `$1`. */
interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Returns the SQL of a filter. */
function toCondition(filter: EventFilter): Condition {
  const terms: string[] = ['true'];
  const parameters: unknown[] = [];
  const place = (value: unknown): string => `$${parameters.push(value)}`;
  if (filter.ids !== undefined) {
    const parsed = filter.ids.map(parseEventId).filter((id) => id !== undefined);
    const receiptIds = place(parsed.map(({ receiptId }) => receiptId));
    const positions = place(parsed.map(({ position }) => position));
    terms.push(
      `(e.receipt_id, e.position) IN (SELECT * FROM unnest(${receiptIds}::text[], ${positions}::integer[]))`,
    );
  }
  if (filter.state !== undefined) terms.push(`e.state = ${place(filter.state)}`);
  if (filter.kind !== undefined) terms.push(`e.kind = ${place(filter.kind)}`);
  if (filter.orderKey !== undefined)
    terms.push(
      `e.queue = ${place(queueOf(filter.orderKey))} AND e.order_key = ${place(filter.orderKey)}`,
    );
  if (filter.receivedAfter !== undefined)
    terms.push(`e.received_at >= ${place(filter.receivedAfter)}`);
  if (filter.failedAfter !== undefined)
    terms.push(`${failedAtColumn} >= ${place(filter.failedAfter)}`);
  if (filter.receivedBefore !== undefined)
    terms.push(`e.received_at < ${place(filter.receivedBefore)}`);
  return { sql: terms.join(' AND '), parameters };
}

/** The number of events that one transaction changes. Receipts and completions wait for it. */
const eventsPerTransaction = 1000;

/** Changes the events of a filter, and records who acted. Many events are changed in several transactions. */
export async function changeEvents(
  transact: Transact,
  settings: PostgresSettings,
  action: ChangeAction,
  filter: EventFilter,
  by: string,
): Promise<number> {
  let changed = 0;
  let after = 0;
  for (;;) {
    const seqs = await transact('durable', (query) =>
      changeSome(query, settings, action, filter, by, after),
    );
    changed += seqs.length;
    after = seqs.at(-1) ?? after;
    if (seqs.length < eventsPerTransaction) return changed;
  }
}

async function changeSome(
  query: Query,
  settings: PostgresSettings,
  action: ChangeAction,
  filter: EventFilter,
  by: string,
  after: number,
): Promise<readonly number[]> {
  const { tables, now } = settings;
  await lockAll(query);
  const { sql, parameters } = toCondition(filter);
  const rows = await query(
    `SELECT e.seq, e.receipt_id, e.position, e.queue::text AS queue FROM ${tables.events} AS e
     WHERE ${sql} AND e.state IN (${statesOf(action, filter)}) AND e.seq > $${parameters.length + 1}
     ORDER BY e.seq LIMIT ${eventsPerTransaction} FOR UPDATE`,
    [...parameters, after],
  );
  const seqs = rows.map((row) => integer(row, 'seq'));
  if (seqs.length === 0) return seqs;
  const assignments =
    action !== 'discard'
      ? `state = CASE WHEN queue IS NULL THEN 'ready' ELSE 'waiting' END, queued = true, attempts = 0, ends = least(ends, 1),
       retry_at = NULL, finished_at = NULL`
      : `state = 'discarded', queued = false, retry_at = NULL, finished_at = ${now()}`;
  await query(`UPDATE ${tables.events} SET ${assignments} WHERE seq = ANY ($1::bigint[])`, [seqs]);
  await settle(
    query,
    settings,
    rows.map((row) => optionalText(row, 'queue')),
  );
  const ids = rows.map((row) => eventId(text(row, 'receipt_id'), integer(row, 'position')));
  await record(query, settings, action, by, ids);
  return seqs;
}

/** Deletes receipts and identities, and records who acted. */
export async function deletePayloads(
  query: Query,
  settings: PostgresSettings,
  request: DeletionRequest,
  by: string,
): Promise<DeletionResult> {
  const { tables } = settings;
  const { finishedBefore, identitiesBefore, maxDeleted = 1000 } = request;
  let receipts = 0;
  await lockAll(query);
  if (finishedBefore !== undefined) {
    const ids = await findFinished(query, settings, { ...request, finishedBefore, maxDeleted });
    const rows = await query(
      `DELETE FROM ${tables.events} WHERE receipt_id = ANY ($1::text[])
       RETURNING CASE WHEN queued THEN queue::text END AS queue`,
      [ids],
    );
    await query(`DELETE FROM ${tables.receipts} WHERE id = ANY ($1::text[])`, [ids]);
    // A deleted dead event no longer stops its key.
    await settle(
      query,
      settings,
      rows.map((row) => optionalText(row, 'queue')),
    );
    receipts = ids.length;
  }
  let identities = 0;
  if (identitiesBefore !== undefined) {
    const rows = await query(
      `DELETE FROM ${tables.identities} WHERE identity IN
         (SELECT identity FROM ${tables.identities} WHERE stored_at < $1 LIMIT $2) RETURNING 1`,
      [identitiesBefore, maxDeleted],
    );
    identities = rows.length;
  }
  if (receipts + identities > 0)
    await record(
      query,
      settings,
      'delete',
      by,
      [null],
      `${receipts} receipts, ${identities} identities`,
    );
  return { receipts, identities };
}

/** Returns receipts whose events are all finished: a receipt is deleted with its last event. */
async function findFinished(
  query: Query,
  { tables }: PostgresSettings,
  {
    finishedBefore,
    orderKey,
    dead = false,
    maxDeleted,
  }: DeletionRequest & { finishedBefore: number; maxDeleted: number },
): Promise<readonly string[]> {
  const states = dead ? `'done', 'discarded', 'dead'` : `'done', 'discarded'`;
  const ofKey = orderKey === undefined ? '' : 'AND e.queue = $3 AND e.order_key = $4';
  const rows = await query(
    // Each receipt is checked once, however many events it has.
    `SELECT f.receipt_id FROM (
       SELECT DISTINCT e.receipt_id FROM ${tables.events} AS e WHERE e.finished_at < $1 ${ofKey}
     ) AS f WHERE NOT EXISTS (
       SELECT FROM ${tables.events} AS o WHERE o.receipt_id = f.receipt_id
         AND (o.finished_at IS NULL OR o.finished_at >= $1 OR o.state NOT IN (${states})))
     LIMIT $2`,
    [finishedBefore, maxDeleted, ...(orderKey === undefined ? [] : [queueOf(orderKey), orderKey])],
  );
  return rows.map((row) => text(row, 'receipt_id'));
}

/**
 * Deletes the oldest records of what operators did. Only these are read: they are in the order of their times, unless
 * the clock was set back.
 */
export async function pruneAudit(
  query: Query,
  { tables }: PostgresSettings,
  { before, maxRecords, maxDeleted }: AuditPruning,
): Promise<number> {
  const rows = await query(
    `DELETE FROM ${tables.audit} WHERE record IN (
       SELECT record FROM (SELECT record, at FROM ${tables.audit} ORDER BY record LIMIT $3) AS oldest
       WHERE at < $1 OR record <= (SELECT max(record) FROM ${tables.audit}) - $2) RETURNING 1`,
    [before, maxRecords, maxDeleted],
  );
  return rows.length;
}

/** Records who acted, once for each event. */
export async function record(
  query: Query,
  { tables, now }: PostgresSettings,
  action: AuditRecord['action'],
  by: string,
  ids: readonly (string | null)[],
  detail?: string,
): Promise<void> {
  await query(
    `INSERT INTO ${tables.audit} (at, by, action, event_id, detail)
     SELECT ${now()}, $1, $2, id, $4
     FROM unnest($3::text[]) WITH ORDINALITY AS ids (id, place) ORDER BY place`,
    [by, action, ids, detail ?? null],
  );
}

/**
 * Makes the first event of each queue claimable, and no other, unless an event of the queue is in work. The caller has
 * locked the queues.
 */
export async function settle(
  query: Query,
  { tables }: PostgresSettings,
  changed: readonly (string | undefined)[],
): Promise<void> {
  const queues = [...new Set(changed.filter((queue) => queue !== undefined))];
  if (queues.length === 0) return;
  // Claims take no lock of a queue. A claim that has a row waits for none, so that this wait is short.
  await query(
    `SELECT FROM ${tables.events} WHERE queued AND queue = ANY ($1::bigint[])
       AND state IN ('ready', 'retry', 'working') ORDER BY seq FOR UPDATE`,
    [queues],
  );
  await query(
    `WITH heads AS (
       SELECT q.queue, (SELECT min(h.seq) FROM ${tables.events} AS h WHERE h.queued AND h.queue = q.queue) AS head
       FROM unnest($1::bigint[]) AS q (queue)
       WHERE NOT EXISTS (SELECT FROM ${tables.events} AS w
         WHERE w.queued AND w.queue = q.queue AND w.state = 'working')
     )
     UPDATE ${tables.events} AS e
     SET state = CASE WHEN e.seq <> heads.head THEN 'waiting' WHEN e.retry_at IS NULL THEN 'ready' ELSE 'retry' END
     FROM heads WHERE e.queued AND e.queue = heads.queue AND CASE
       WHEN e.seq = heads.head THEN e.state = 'waiting' ELSE e.state IN ('ready', 'retry') END`,
    [queues],
  );
}

function joined(tables: Tables): string {
  return `${tables.events} AS e JOIN ${tables.receipts} AS r ON r.id = e.receipt_id`;
}

/** Reads the number and the age of the events. */
export async function readStats(query: Query, settings: PostgresSettings): Promise<InboxStats> {
  const { tables, now } = settings;
  // One statement, so that the numbers are of one moment.
  const rows = await query(
    `SELECT name, sum(events) AS value FROM ${tables.counts} GROUP BY name
     UNION ALL SELECT 'failed in work', count(*) FROM ${tables.events}
       WHERE state = 'working' AND attempts > 0
     UNION ALL SELECT 'oldest age', ${now()} - min(since) FROM (
       (SELECT received_at AS since FROM ${tables.events} WHERE state = 'ready' ORDER BY seq LIMIT 1)
       UNION ALL SELECT received_at FROM ${tables.events} WHERE state = 'working'
       UNION ALL SELECT min(retry_at) FROM ${tables.events}
         WHERE state = 'retry' AND retry_at <= ${now()}
     ) AS claimable
     UNION ALL SELECT blocked.* FROM (${countBlocked(settings)}) AS b
       CROSS JOIN LATERAL (VALUES ('blocked', b.events), ('blocked keys', b.keys)) AS blocked`,
  );
  const valuesByName = new Map(
    rows.map((row) => [text(row, 'name'), optionalInteger(row, 'value')]),
  );
  return toStats((name) => valuesByName.get(name) ?? 0, valuesByName.get('oldest age'));
}

/** Reads a page of events. */
export async function listEvents(
  query: Query,
  { tables }: PostgresSettings,
  filter: EventFilter,
  { pageSize = 100, after, first = 'oldest' }: PageRequest,
): Promise<EventPage> {
  const [compare, order, start] =
    first === 'newest' ? ['<', 'DESC', Number.MAX_SAFE_INTEGER] : ['>', 'ASC', 0];
  const place =
    after === undefined ? start : (parsePlace(after) ?? (await seqOf(query, tables, after)));
  const { sql, parameters } = toCondition(filter);
  const next = parameters.length + 1;
  const rows = await query(
    `SELECT ${eventColumns} FROM ${joined(tables)}
     WHERE ${sql} AND e.seq ${compare} $${next} ORDER BY e.seq ${order} LIMIT $${next + 1}`,
    [...parameters, place, pageSize + 1],
  );
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return {
    events: await withBlockers(query, tables, shown.map(readEvent)),
    next: last && String(integer(last, 'seq')),
  };
}

/** Returns the place of the event after which a list continues. */
async function seqOf(query: Query, tables: Tables, id: string): Promise<number> {
  const row = await findEvent(query, tables, 'e.seq', id);
  if (row === undefined) throw noEventToContinue();
  return integer(row, 'seq');
}

/** Returns events with what they wait for. */
async function withBlockers(
  query: Query,
  tables: Tables,
  events: readonly InboxEvent[],
): Promise<readonly InboxEvent[]> {
  const queues = waitingKeys(events).map(queueOf);
  if (queues.length === 0) return events;
  // One entry of an index for each queue: what is in work, otherwise the first one.
  const rows = await query(
    `WITH working AS MATERIALIZED (
       SELECT queue, seq FROM ${tables.events} WHERE state = 'working' AND queued
     )
     SELECT ${blockerColumns} FROM unnest($1::bigint[]) AS q (queue)
     JOIN ${tables.events} AS h ON h.seq = coalesce(
       (SELECT min(w.seq) FROM working AS w WHERE w.queue = q.queue),
       (SELECT f.seq FROM ${tables.events} AS f WHERE f.queued AND f.queue = q.queue ORDER BY f.seq LIMIT 1))
     JOIN ${tables.receipts} AS r ON r.id = h.receipt_id
     WHERE h.state <> 'waiting'`,
    [queues],
  );
  return addBlockers(events, rows);
}

/** Counts what an action would change. */
export async function previewChange(
  query: Query,
  { tables }: PostgresSettings,
  action: ChangeAction,
  filter: EventFilter,
): Promise<ChangePreview> {
  const { sql, parameters } = toCondition(filter);
  const rows = await query(
    `SELECT ${previewColumns} FROM ${tables.events} AS e
     WHERE ${sql} AND e.state IN (${statesOf(action, filter)})
     GROUP BY e.kind, e.state ORDER BY events DESC, e.kind COLLATE "C" NULLS FIRST, e.state`,
    parameters,
  );
  return readPreview(rows);
}

/** Reads an event. */
export async function getEvent(
  query: Query,
  { tables }: PostgresSettings,
  id: string,
): Promise<InboxEvent | undefined> {
  const row = await findEvent(query, tables, eventColumns, id);
  if (row === undefined) return undefined;
  const [event] = await withBlockers(query, tables, [readEvent(row)]);
  return event;
}

/** Reads an event with its payload. */
export async function getEventWithPayload(
  query: Query,
  { tables }: PostgresSettings,
  id: string,
): Promise<InboxEventWithPayload | undefined> {
  const row = await findEvent(query, tables, payloadColumns, id);
  return row && readEventWithPayload(row);
}

async function findEvent(
  query: Query,
  tables: Tables,
  columns: string,
  id: string,
): Promise<Row | undefined> {
  const parsed = parseEventId(id);
  if (parsed === undefined) return undefined;
  const [row] = await query(
    `SELECT ${columns} FROM ${joined(tables)} WHERE e.receipt_id = $1 AND e.position = $2`,
    [parsed.receiptId, parsed.position],
  );
  return row;
}

/** Reads the newest records of what operators did. */
export async function readAudit(
  query: Query,
  { tables }: PostgresSettings,
  pageSize: number,
): Promise<readonly AuditRecord[]> {
  const rows = await query(`SELECT * FROM ${tables.audit} ORDER BY record DESC LIMIT $1`, [
    pageSize,
  ]);
  return rows.map(readAuditRecord);
}

/** Replaces the rows of `inbox_counts` by their sums. Rows that another process is adding up are left out. */
async function addUpCounts(query: Query, { tables }: PostgresSettings): Promise<void> {
  await query(
    `WITH removed AS (
       DELETE FROM ${tables.counts} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${tables.counts} LIMIT 10000 FOR UPDATE SKIP LOCKED
       )) RETURNING name, events
     )
     INSERT INTO ${tables.counts} (name, events)
     SELECT name, sum(events) FROM removed GROUP BY name HAVING sum(events) <> 0`,
  );
}

/** The number of transactions after which the counts are added up. */
const transactionsPerSum = 100;

/** Adds up the counts from time to time. */
export class CountSums {
  readonly #runner: OperationRunner;
  readonly #settings: PostgresSettings;
  readonly #warn = createFailureWarnings();
  #transactions = 0;

  constructor(runner: OperationRunner, settings: PostgresSettings) {
    this.#runner = runner;
    this.#settings = settings;
  }

  /** Counts a transaction. No caller waits for a sum that is due, and a failed one is repeated later. */
  countTransaction(): void {
    this.#transactions += 1;
    if (this.#transactions % transactionsPerSum !== 0) return;
    this.#runner
      .inTransaction('volatile', (query) => addUpCounts(query, this.#settings))
      .catch((error: unknown) =>
        this.#warn({
          code: 'COUNTERSIGN_STORE_FAILED',
          message: 'The inbox did not add up its counts',
          help: `It tries again after ${transactionsPerSum} transactions. Reading the counts takes longer until then.`,
          error,
        }),
      );
  }
}
