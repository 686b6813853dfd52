import { readAuditRecord } from '../read-audit-record.ts';
import { eventColumns, payloadColumns, readEvent, readEventWithPayload } from '../read-event.ts';
import { parseEventId } from '../receipt-id.ts';
import { integer, optionalInteger, text, type Row } from '../row.ts';
import type {
  AuditRecord,
  EventFilter,
  EventPage,
  InboxEvent,
  InboxEventWithPayload,
  InboxStats,
} from '../store.ts';
import { toStats } from '../to-stats.ts';
import { countBlocked } from './blocked.ts';
import type { Query } from './connection.ts';
import { toCondition } from './event-filter.ts';
import type { PostgresSettings, Tables } from './options.ts';

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
  const found = new Map(rows.map((row) => [text(row, 'name'), optionalInteger(row, 'value')]));
  return toStats((name) => found.get(name) ?? 0, found.get('oldest age'));
}

/** Reads a page of events, oldest first. */
export async function listEvents(
  query: Query,
  { tables }: PostgresSettings,
  filter: EventFilter,
  limit: number,
  after: string | undefined,
): Promise<EventPage> {
  const start = after === undefined ? undefined : await findEvent(query, tables, 'e.seq', after);
  const { sql, parameters } = toCondition(filter);
  const next = parameters.length + 1;
  const rows = await query(
    `SELECT ${eventColumns} FROM ${joined(tables)}
     WHERE ${sql} AND e.seq > $${next} ORDER BY e.seq LIMIT $${next + 1}`,
    [...parameters, start === undefined ? 0 : integer(start, 'seq'), limit + 1],
  );
  const events = rows.slice(0, limit).map(readEvent);
  return { events, next: rows.length > limit ? events.at(-1)?.id : undefined };
}

/** Reads an event. */
export async function getEvent(
  query: Query,
  { tables }: PostgresSettings,
  id: string,
): Promise<InboxEvent | undefined> {
  const row = await findEvent(query, tables, eventColumns, id);
  return row && readEvent(row);
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
  limit: number,
): Promise<readonly AuditRecord[]> {
  const rows = await query(`SELECT * FROM ${tables.audit} ORDER BY record DESC LIMIT $1`, [limit]);
  return rows.map(readAuditRecord);
}
