import { statesOf, type ChangeAction } from '../change.ts';
import { eventId } from '../receipt-id.ts';
import { integer, optionalText, text } from '../row.ts';
import type {
  AuditPruning,
  AuditRecord,
  DeletionRequest,
  DeletionResult,
  EventFilter,
} from '../store.ts';
import type { Query } from './connection.ts';
import { toCondition } from './event-filter.ts';
import { lockAll, queueOf } from './locks.ts';
import type { PostgresSettings } from './options.ts';
import type { Transact } from './transact.ts';

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
