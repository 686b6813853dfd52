import { statesOf, type ChangeAction, type ChangePreview } from '../change.ts';
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
import { parseEventId } from '../receipt-id.ts';
import { integer, optionalInteger, text, type Row } from '../row.ts';
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
import { countBlocked } from './blocked.ts';
import type { Query } from './connection.ts';
import { toCondition } from './event-filter.ts';
import { queueOf } from './locks.ts';
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
