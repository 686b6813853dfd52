import type { DatabaseSync } from 'node:sqlite';
import { statesOf, type ChangeAction, type ChangePreview } from '../change.ts';
import { parseEventId } from '../receipt-id.ts';
import type {
  AuditRecord,
  EventFilter,
  EventPage,
  InboxEvent,
  InboxEventWithPayload,
  InboxStats,
  PageRequest,
} from '../store.ts';
import { toStats } from '../to-stats.ts';
import { createCountBlocked } from './blocked.ts';
import { toCondition } from './event-filter.ts';
import { readAuditRecord } from '../read-audit-record.ts';
import {
  addBlockers,
  blockerColumns,
  eventColumns,
  noEventToContinue,
  parsePlace,
  payloadColumns,
  readEvent,
  readEventWithPayload,
  waitingKeys,
} from '../read-event.ts';
import { previewColumns, readPreview } from '../read-preview.ts';
import { integer, optionalInteger, text } from '../row.ts';

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
  const statements = prepareStatements(database);
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
  readonly statements: ReturnType<typeof prepareStatements>;
  readonly countBlocked: ReturnType<typeof createCountBlocked>;
}

function prepareStatements(database: DatabaseSync) {
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
