import type { DatabaseSync } from 'node:sqlite';
import { parseEventId } from '../receipt-id.ts';
import type {
  AuditRecord,
  EventFilter,
  EventPage,
  InboxEvent,
  InboxEventWithPayload,
  InboxStats,
} from '../store.ts';
import { toStats } from '../to-stats.ts';
import { createCountBlocked } from './blocked.ts';
import { toCondition } from './event-filter.ts';
import { readAuditRecord } from '../read-audit-record.ts';
import { eventColumns, payloadColumns, readEvent, readEventWithPayload } from '../read-event.ts';
import { integer, optionalInteger, text } from '../row.ts';

/** Reads what operators see. */
export interface Inspection {
  stats(now: number): InboxStats;
  list(filter: EventFilter, limit: number, after: string | undefined): EventPage;
  get(id: string): InboxEvent | undefined;
  readonly getWithPayload: (id: string) => InboxEventWithPayload | undefined;
  audit(limit: number): AuditRecord[];
}

const joined = 'inbox_events e JOIN inbox_receipts r USING (receipt)';

/** Prepares the statements for a connection. */
export function createInspection(database: DatabaseSync): Inspection {
  const counts = database.prepare('SELECT name, events FROM inbox_counts');
  // Each of the three reads one index. What waits for another event of its key is younger than that one.
  const oldest = database.prepare(`
    SELECT min(received_at) AS oldest FROM (
      SELECT * FROM (SELECT received_at FROM inbox_events WHERE state = 'ready' ORDER BY seq LIMIT 1)
      UNION ALL SELECT received_at FROM inbox_events WHERE state = 'working'
      UNION ALL SELECT min(retry_at) FROM inbox_events WHERE state = 'retry' AND retry_at <= ?
    )`);
  const countBlocked = createCountBlocked(database);
  const failedInWork = database.prepare(
    "SELECT count(*) AS events FROM inbox_events WHERE state = 'working' AND attempts > 0",
  );
  const find = database.prepare(
    `SELECT ${eventColumns} FROM ${joined} WHERE r.id = ? AND e.position = ?`,
  );
  const findWithPayload = database.prepare(
    `SELECT ${payloadColumns} FROM ${joined} WHERE r.id = ? AND e.position = ?`,
  );
  const findSeq = database.prepare(`SELECT e.seq FROM ${joined} WHERE r.id = ? AND e.position = ?`);
  const audit = database.prepare('SELECT * FROM inbox_audit ORDER BY record DESC LIMIT ?');

  /** Returns the place of the event after which a list continues. */
  function seqOf(id: string): number {
    const parsed = parseEventId(id);
    const row = parsed && findSeq.get(parsed.receiptId, parsed.position);
    return row === undefined ? 0 : integer(row, 'seq');
  }

  return {
    stats(now) {
      const found = new Map(counts.all().map((row) => [text(row, 'name'), integer(row, 'events')]));
      const working = failedInWork.get();
      found.set('failed in work', working === undefined ? 0 : integer(working, 'events'));
      const blocked = countBlocked(now);
      found.set('blocked', blocked.events).set('blocked keys', blocked.keys);
      const oldestRow = oldest.get(now);
      const receivedAt = oldestRow && optionalInteger(oldestRow, 'oldest');
      const age = receivedAt === undefined ? undefined : now - receivedAt;
      return toStats((name) => found.get(name) ?? 0, age);
    },
    list(filter, limit, after) {
      const { sql, parameters } = toCondition(filter);
      const rows = database
        .prepare(
          `SELECT ${eventColumns} FROM ${joined} WHERE ${sql} AND e.seq > ? ORDER BY e.seq LIMIT ?`,
        )
        .all(...parameters, after === undefined ? 0 : seqOf(after), limit + 1);
      const events = rows.slice(0, limit).map(readEvent);
      return { events, next: rows.length > limit ? events.at(-1)?.id : undefined };
    },
    get(id) {
      const parsed = parseEventId(id);
      const row = parsed && find.get(parsed.receiptId, parsed.position);
      return row && readEvent(row);
    },
    getWithPayload(id) {
      const parsed = parseEventId(id);
      const row = parsed && findWithPayload.get(parsed.receiptId, parsed.position);
      return row && readEventWithPayload(row);
    },
    audit: (limit) => audit.all(limit).map(readAuditRecord),
  };
}
