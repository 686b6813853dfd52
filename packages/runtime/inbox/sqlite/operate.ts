import type { DatabaseSync } from 'node:sqlite';
import { statesOf, type ChangeAction } from '../change.ts';
import { eventId } from '../receipt-id.ts';
import type {
  AuditPruning,
  AuditRecord,
  DeletionRequest,
  DeletionResult,
  EventFilter,
} from '../store.ts';
import { toCondition } from './event-filter.ts';
import type { KeyQueue } from './key-queue.ts';
import { integer, optionalText, text } from '../row.ts';

/** Who acts, and when. */
export interface Act {
  readonly by: string;
  readonly now: number;
}

/** The number of events that one transaction changes. Receipts wait for it. */
const eventsPerTransaction = 500;

/** What one transaction has changed. */
interface ChangedPart {
  readonly events: number;
  /** The place of the last event; `undefined` if there are no further events to change. */
  readonly last: number | undefined;
}

/**
 * What operators change. Every method runs within a transaction and records who acted. The first three change a limited
 * number of events, which are stored after the place `after`.
 */
export interface Operations {
  retry(filter: EventFilter, act: Act, after: number): ChangedPart;
  replay(filter: EventFilter, act: Act, after: number): ChangedPart;
  discard(filter: EventFilter, act: Act, after: number): ChangedPart;
  delete(request: DeletionRequest, act: Act): DeletionResult;
  pruneAudit(request: AuditPruning): number;
  record(action: AuditRecord['action'], id: string | undefined, act: Act, detail?: string): void;
}

/** Prepares the statements of a connection. */
export function createOperations(database: DatabaseSync, keys: KeyQueue): Operations {
  const context: OperationContext = { database, keys, statements: prepareStatements(database) };
  return {
    record: (action, id, act, detail) => record(context, action, id, act, detail),
    retry: (filter, act, after) => change(context, 'retry', filter, act, after),
    replay: (filter, act, after) => change(context, 'replay', filter, act, after),
    discard: (filter, act, after) => change(context, 'discard', filter, act, after),
    delete: (request, act) => deletePayloads(context, request, act),
    pruneAudit: ({ before, maxRecords, maxDeleted }) =>
      Number(context.statements.deleteRecords.run(maxDeleted, before, maxRecords).changes),
  };
}

/** What the functions of a connection share. */
interface OperationContext {
  readonly database: DatabaseSync;
  readonly keys: KeyQueue;
  readonly statements: ReturnType<typeof prepareStatements>;
}

function prepareStatements(database: DatabaseSync) {
  return {
    insertRecord: database.prepare(
      'INSERT INTO inbox_audit (at, by, action, event_id, detail) VALUES (?, ?, ?, ?, ?)',
    ),
    restart: database.prepare(
      `UPDATE inbox_events
       SET state = iif(order_key IS NULL, 'ready', 'waiting'), queued = 1, attempts = 0, ends = min(ends, 1),
         retry_at = NULL, finished_at = NULL
       WHERE seq = ?`,
    ),
    remove: database.prepare(
      `UPDATE inbox_events SET state = 'discarded', queued = 0, retry_at = NULL, finished_at = ?
       WHERE seq = ?`,
    ),
    keysOfReceipt: database.prepare(
      'SELECT order_key FROM inbox_events WHERE receipt = ? AND queued = 1 AND order_key IS NOT NULL',
    ),
    deleteEvents: database.prepare('DELETE FROM inbox_events WHERE receipt = ?'),
    deleteReceipt: database.prepare('DELETE FROM inbox_receipts WHERE receipt = ?'),
    deleteIdentities: database.prepare(
      `DELETE FROM inbox_identities WHERE identity IN
         (SELECT identity FROM inbox_identities WHERE stored_at < ? LIMIT ?)`,
    ),
    // Only the oldest records are read: they are in the order of their times, unless the clock was set back.
    deleteRecords: database.prepare(
      `DELETE FROM inbox_audit WHERE record IN (
         SELECT record FROM (SELECT record, at FROM inbox_audit ORDER BY record LIMIT ?)
         WHERE at < ? OR record <= (SELECT max(record) FROM inbox_audit) - ?)`,
    ),
  };
}

function record(
  { statements }: OperationContext,
  action: AuditRecord['action'],
  id: string | undefined,
  { by, now }: Act,
  detail?: string,
): void {
  statements.insertRecord.run(now, by, action, id ?? null, detail ?? null);
}

/** Changes events of a filter that are in one of the states, then settles the keys. */
function change(
  context: OperationContext,
  action: ChangeAction,
  filter: EventFilter,
  act: Act,
  after: number,
): ChangedPart {
  const { database, keys, statements } = context;
  const { remove, restart } = statements;
  const { sql, parameters } = toCondition(filter);
  const rows = database
    .prepare(
      `SELECT e.seq, e.position, e.order_key, r.id AS receipt_id
       FROM inbox_events e JOIN inbox_receipts r USING (receipt)
       WHERE ${sql} AND e.state IN (${statesOf(action, filter)}) AND e.seq > ? ORDER BY e.seq LIMIT ?`,
    )
    .all(...parameters, after, eventsPerTransaction);
  const changed = new Set<string>();
  for (const row of rows) {
    const seq = integer(row, 'seq');
    if (action === 'discard') remove.run(act.now, seq);
    else restart.run(seq);
    const key = optionalText(row, 'order_key');
    if (key !== undefined) changed.add(key);
    record(context, action, eventId(text(row, 'receipt_id'), integer(row, 'position')), act);
  }
  for (const key of changed) keys.settle(key);
  const last = rows.length < eventsPerTransaction ? undefined : rows.at(-1);
  return { events: rows.length, last: last && integer(last, 'seq') };
}

function deletePayloads(
  context: OperationContext,
  request: DeletionRequest,
  act: Act,
): DeletionResult {
  const { identitiesBefore, maxDeleted = 1000 } = request;
  const { deleteIdentities } = context.statements;
  const receipts = deleteReceipts(context, request, maxDeleted);
  let identities = 0;
  if (identitiesBefore !== undefined)
    identities = Number(deleteIdentities.run(identitiesBefore, maxDeleted).changes);
  if (receipts + identities > 0)
    record(context, 'delete', undefined, act, `${receipts} receipts, ${identities} identities`);
  return { receipts, identities };
}

/** Deletes receipts whose events are all finished, and settles the keys. Returns how many. */
function deleteReceipts(
  { database, keys, statements }: OperationContext,
  { finishedBefore, orderKey, dead = false }: DeletionRequest,
  maxDeleted: number,
): number {
  if (finishedBefore === undefined) return 0;
  const { keysOfReceipt, deleteEvents, deleteReceipt } = statements;
  const ofKey = orderKey === undefined ? '' : 'AND e.order_key = ?';
  const kept = dead ? "'done', 'discarded', 'dead'" : "'done', 'discarded'";
  // A receipt is deleted with its last event: the others still need its payload.
  const rows = database
    .prepare(
      // Each receipt is checked once, however many events it has.
      `SELECT f.receipt FROM (
         SELECT DISTINCT e.receipt FROM inbox_events e WHERE e.finished_at < ? ${ofKey}
       ) f WHERE NOT EXISTS (
         SELECT 1 FROM inbox_events o WHERE o.receipt = f.receipt
           AND (o.finished_at IS NULL OR o.finished_at >= ? OR o.state NOT IN (${kept})))
       LIMIT ?`,
    )
    .all(finishedBefore, ...(orderKey === undefined ? [] : [orderKey]), finishedBefore, maxDeleted);
  const settled = new Set<string>();
  for (const row of rows) {
    const receipt = integer(row, 'receipt');
    for (const event of keysOfReceipt.all(receipt)) settled.add(text(event, 'order_key'));
    deleteEvents.run(receipt);
    deleteReceipt.run(receipt);
  }
  // A deleted dead event no longer stops its key.
  for (const key of settled) keys.settle(key);
  return rows.length;
}
