// What operators see and change of the events in SQLite.

import type { DatabaseSync } from 'node:sqlite';
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
import { createCountBlocked, type KeyQueue } from './receive.ts';

/** A condition over `inbox_events e JOIN inbox_receipts r`, with its parameters. */
interface Condition {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** Returns the SQL of a filter. */
function toCondition(filter: EventFilter): Condition {
  const terms: string[] = ['1'];
  const parameters: (string | number)[] = [];
  const add = (term: string, ...values: readonly (string | number)[]): void => {
    terms.push(term);
    parameters.push(...values);
  };
  if (filter.ids !== undefined) {
    const parsed = filter.ids.map(parseEventId).filter((id) => id !== undefined);
    // One parameter, however many identifiers: SQLite limits the number of parameters.
    add(
      `(r.id, e.position) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
      JSON.stringify(parsed.map(({ receiptId, position }) => [receiptId, position])),
    );
  }
  if (filter.state !== undefined) add('e.state = ?', filter.state);
  if (filter.kind !== undefined) add('e.kind = ?', filter.kind);
  if (filter.orderKey !== undefined) add('e.order_key = ?', filter.orderKey);
  if (filter.receivedAfter !== undefined) add('e.received_at >= ?', filter.receivedAfter);
  if (filter.failedAfter !== undefined) add(`${failedAtColumn} >= ?`, filter.failedAfter);
  if (filter.receivedBefore !== undefined) add('e.received_at < ?', filter.receivedBefore);
  return { sql: terms.join(' AND '), parameters };
}

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

/** Reads what operators see. */
export interface Inspection {
  stats(now: number): InboxStats;
  list(filter: EventFilter, page: PageRequest): EventPage;
  preview(action: ChangeAction, filter: EventFilter): ChangePreview;
  get(id: string): InboxEvent | undefined;
  readonly getWithPayload: (id: string) => InboxEventWithPayload | undefined;
  audit(pageSize: number): AuditRecord[];
}

const joined = 'inbox_events e JOIN inbox_receipts r USING (receipt)';

/** Prepares the statements of a connection. */
export function createInspection(database: DatabaseSync): Inspection {
  const statements = prepareReads(database);
  const context: InspectionContext = {
    database,
    statements,
    countBlocked: createCountBlocked(database),
  };
  return {
    stats: (now) => readStats(context, now),
    list: (filter, page) => listEvents(context, filter, page),
    preview: (action, filter) => previewChange(context, action, filter),
    get(id) {
      const parsed = parseEventId(id);
      const row = parsed && statements.find.get(parsed.receiptId, parsed.position);
      return row && withBlockers(context, [readEvent(row)])[0];
    },
    getWithPayload(id) {
      const parsed = parseEventId(id);
      const row = parsed && statements.findWithPayload.get(parsed.receiptId, parsed.position);
      return row && readEventWithPayload(row);
    },
    audit: (pageSize) => statements.audit.all(pageSize).map(readAuditRecord),
  };
}

/** What the functions of a connection share. */
interface InspectionContext {
  readonly database: DatabaseSync;
  readonly statements: ReturnType<typeof prepareReads>;
  readonly countBlocked: ReturnType<typeof createCountBlocked>;
}

function prepareReads(database: DatabaseSync) {
  return {
    counts: database.prepare('SELECT name, events FROM inbox_counts'),
    // Each of the three reads one index. What waits for another event of its key is younger than that one.
    oldest: database.prepare(`
      SELECT min(received_at) AS oldest FROM (
        SELECT * FROM (SELECT received_at FROM inbox_events WHERE state = 'ready' ORDER BY seq LIMIT 1)
        UNION ALL SELECT received_at FROM inbox_events WHERE state = 'working'
        UNION ALL SELECT min(retry_at) FROM inbox_events WHERE state = 'retry' AND retry_at <= ?
      )`),
    failedInWork: database.prepare(
      "SELECT count(*) AS events FROM inbox_events WHERE state = 'working' AND attempts > 0",
    ),
    find: database.prepare(
      `SELECT ${eventColumns} FROM ${joined} WHERE r.id = ? AND e.position = ?`,
    ),
    findWithPayload: database.prepare(
      `SELECT ${payloadColumns} FROM ${joined} WHERE r.id = ? AND e.position = ?`,
    ),
    findSeq: database.prepare(`SELECT e.seq FROM ${joined} WHERE r.id = ? AND e.position = ?`),
    // A key has at most a few events that are not `waiting`, however many it has.
    findBlocker: database.prepare(
      `SELECT ${blockerColumns} FROM inbox_events h JOIN inbox_receipts r USING (receipt)
       WHERE h.queued = 1 AND h.order_key = ? AND h.state IN ('working', 'ready', 'retry', 'dead')
       ORDER BY h.seq LIMIT 1`,
    ),
    audit: database.prepare('SELECT * FROM inbox_audit ORDER BY record DESC LIMIT ?'),
  };
}

function readStats({ statements, countBlocked }: InspectionContext, now: number): InboxStats {
  const countsByName = new Map(
    statements.counts.all().map((row) => [text(row, 'name'), integer(row, 'events')]),
  );
  const working = statements.failedInWork.get();
  countsByName.set('failed in work', working === undefined ? 0 : integer(working, 'events'));
  const blocked = countBlocked(now);
  countsByName.set('blocked', blocked.events).set('blocked keys', blocked.keys);
  const oldestRow = statements.oldest.get(now);
  const receivedAt = oldestRow && optionalInteger(oldestRow, 'oldest');
  const age = receivedAt === undefined ? undefined : now - receivedAt;
  return toStats((name) => countsByName.get(name) ?? 0, age);
}

function listEvents(
  context: InspectionContext,
  filter: EventFilter,
  { pageSize = 100, after, first = 'oldest' }: PageRequest,
): EventPage {
  const { database } = context;
  const { sql, parameters } = toCondition(filter);
  const [compare, order, start] =
    first === 'newest' ? ['<', 'DESC', Number.MAX_SAFE_INTEGER] : ['>', 'ASC', 0];
  const rows = database
    .prepare(
      `SELECT ${eventColumns} FROM ${joined} WHERE ${sql} AND e.seq ${compare} ? ORDER BY e.seq ${order} LIMIT ?`,
    )
    .all(
      ...parameters,
      after === undefined ? start : (parsePlace(after) ?? seqOf(context, after)),
      pageSize + 1,
    );
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return {
    events: withBlockers(context, shown.map(readEvent)),
    next: last && String(integer(last, 'seq')),
  };
}

/** Returns the place of the event after which a list continues. */
function seqOf({ statements }: InspectionContext, id: string): number {
  const parsed = parseEventId(id);
  const row = parsed && statements.findSeq.get(parsed.receiptId, parsed.position);
  if (row === undefined) throw noEventToContinue();
  return integer(row, 'seq');
}

/** Returns events with what they wait for. */
function withBlockers(
  { statements }: InspectionContext,
  events: readonly InboxEvent[],
): readonly InboxEvent[] {
  const rows = waitingKeys(events).flatMap((key) => statements.findBlocker.all(key));
  return addBlockers(events, rows);
}

function previewChange(
  { database }: InspectionContext,
  action: ChangeAction,
  filter: EventFilter,
): ChangePreview {
  const { sql, parameters } = toCondition(filter);
  const rows = database
    .prepare(
      `SELECT ${previewColumns} FROM ${joined} WHERE ${sql} AND e.state IN (${statesOf(action, filter)})
       GROUP BY e.kind, e.state ORDER BY events DESC, e.kind, e.state`,
    )
    .all(...parameters);
  return readPreview(rows);
}
