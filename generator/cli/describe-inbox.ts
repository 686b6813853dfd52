import { isUtf8 } from 'node:buffer';
import type {
  AuditRecord,
  EventPage,
  InboxEvent,
  InboxEventWithPayload,
  InboxStats,
} from '@countersign/inbox';
import { type Paint, printable } from '../diagnostics/paint.ts';
import { count } from './describe-generation.ts';

/** Describes a page of events, one in a line. */
export function describeEvents({ events, next }: EventPage, paint: Paint): string {
  if (events.length === 0) return 'no events\n';
  const lines = events.map(({ id, state, receivedAt, kind = '-', orderKey, attempts, error }) => {
    const texts = [
      toTime(receivedAt),
      kind,
      ...(orderKey === undefined ? [] : [`key ${orderKey}`]),
      ...(attempts === 0 ? [] : [count(attempts, 'failure')]),
      ...(error === undefined ? [] : [error]),
    ];
    const painted = paintState(state.padEnd(9), state, paint);
    return [printable(id), painted, ...texts.map(printable)].join('  ');
  });
  const more = next === undefined ? [] : [paint('dim', `more: --after ${printable(next)}`)];
  return `${[...lines, ...more].join('\n')}\n`;
}

/** Describes one event, with its payload if it is revealed. */
export function describeEvent(event: InboxEvent | InboxEventWithPayload, paint: Paint): string {
  const { retryAt, finishedAt } = event;
  const facts = describeRows(paint, [
    ['event', event.id],
    ['state', event.state],
    ['kind', event.kind],
    ['key', event.orderKey],
    ['identity', event.identity],
    ['verdict', event.verdict],
    ['received', toTime(event.receivedAt)],
    ['failures', String(event.attempts)],
    ['interruptions', String(event.interruptions)],
    ['error', event.error],
    ['next attempt', retryAt === undefined ? undefined : toTime(retryAt)],
    ['finished', finishedAt === undefined ? undefined : toTime(finishedAt)],
  ]);
  const payload =
    'body' in event
      ? describePayload(event)
      : ['payload hidden: --reveal shows it, and records who read it'];
  return `${[...facts, '', ...payload].join('\n')}\n`;
}

function describeRows(
  paint: Paint,
  rows: readonly (readonly [name: string, value: string | undefined])[],
): readonly string[] {
  return rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`${paint('dim', name.padEnd(13))}  ${printable(value)}`],
  );
}

function describePayload({
  method,
  target,
  headers,
  body,
}: InboxEventWithPayload): readonly string[] {
  const lines = isUtf8(body)
    ? new TextDecoder().decode(body).split(/\r?\n/u)
    : [`${body.length} bytes, as Base64: ${Buffer.from(body).toString('base64')}`];
  return [
    `${method} ${target}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    ...lines,
  ].map(printable);
}

/** Returns an event as JSON data. A body that is not UTF-8 is given as Base64. */
export function toEventData(event: InboxEvent | InboxEventWithPayload): object {
  if (!('body' in event)) return event;
  const body = Buffer.from(event.body);
  return isUtf8(body)
    ? { ...event, body: body.toString('utf8'), bodyEncoding: 'utf8' }
    : { ...event, body: body.toString('base64'), bodyEncoding: 'base64' };
}

/** Describes the number and the age of the events. */
export function describeStats(stats: InboxStats, paint: Paint): string {
  const { byState, depth, backlog, blockedKeys, failed, oldestAgeMs, duplicates } = stats;
  const oldest = oldestAgeMs === undefined ? 'none' : `${(oldestAgeMs / 1000).toFixed(1)} s old`;
  const rows = describeRows(paint, [
    ['not finished', String(depth)],
    ['to handle', String(backlog)],
    ['oldest', oldest],
    ['blocked keys', String(blockedKeys)],
    ['failed', String(failed)],
    ['duplicates', String(duplicates)],
    ['interruptions', String(stats.interruptions)],
    ...Object.entries(byState).map(([state, events]) => [`  ${state}`, String(events)] as const),
  ]);
  return `${rows.join('\n')}\n`;
}

/** Describes what operators did, one record in a line. */
export function describeAudit(records: readonly AuditRecord[]): string {
  if (records.length === 0) return 'no records\n';
  return records
    .map(({ at, by, action, eventId = '', detail = '' }) =>
      [toTime(at), action.padEnd(7), by, eventId, detail]
        .filter((text) => text !== '')
        .map(printable)
        .join('  '),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function paintState(text: string, state: InboxEvent['state'], paint: Paint): string {
  if (state === 'dead') return paint('red', text);
  if (state === 'retry') return paint('yellow', text);
  return state === 'done' ? paint('green', text) : text;
}

/** Returns a time in ISO 8601; a number that is not a time, as it is. */
function toTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}
