import { isUtf8 } from 'node:buffer';
import type {
  AuditRecord,
  Blocker,
  ChangeAction,
  ChangePreview,
  EventPage,
  InboxEvent,
  InboxEventWithPayload,
  InboxStats,
  Rejection,
} from '@countersign/runtime/inbox';
import { count, displayWidth, type Paint, printable } from 'countersign/companion/terminal';

/**
 * Describes a page of events: one in a line; on a terminal of a width, one in two lines that fit it, with its age.
 * @param now milliseconds since 1970
 */
export function describeEvents(
  { events, next }: EventPage,
  paint: Paint,
  width?: number,
  now: number = Date.now(),
): string {
  if (events.length === 0) return 'no events\n';
  const lines = events.map((event) =>
    width === undefined ? describeLine(event, paint) : describeRow(event, paint, width, now),
  );
  const more = next === undefined ? [] : [paint('dim', `more: --after ${printable(next)}`)];
  return `${[...lines, ...more].join('\n')}\n`;
}

function describeLine(event: InboxEvent, paint: Paint): string {
  const { id, state, receivedAt } = event;
  const texts = [toTime(receivedAt), kindOf(event), ...keyOf(event), ...reasonsOf(event)];
  const painted = paintState(state.padEnd(9), state, paint);
  return [printable(id), painted, ...texts.map(printable)].join('  ');
}

function describeRow(event: InboxEvent, paint: Paint, width: number, now: number): string {
  const { id, state, receivedAt } = event;
  const age = toAge(now - receivedAt).padStart(6);
  const start = `${printable(id)}  ${state.padEnd(9)}  ${age}  `;
  const texts = [kindOf(event), ...keyOf(event)].map(printable).join('  ');
  const first = cut(start + texts, width);
  // Only the state has a colour.
  const at = printable(id).length + 2;
  const painted =
    first.length < at + 9
      ? first
      : first.slice(0, at) +
        paintState(first.slice(at, at + 9), state, paint) +
        first.slice(at + 9);
  const reasons = reasonsOf(event).map(printable).join('  ');
  return reasons === '' ? painted : `${painted}\n${paint('dim', cut(`  ${reasons}`, width))}`;
}

/** Returns the kind of an event; the possible kinds, with a question mark, if its delivery violates the contract. */
function kindOf({ kind, rejection }: InboxEvent): string {
  if (kind !== undefined) return kind;
  const { kinds = [] } = rejection ?? {};
  return kinds.length === 0 ? '-' : `${kinds.join('|')}?`;
}

function keyOf({ orderKey }: InboxEvent): readonly string[] {
  return orderKey === undefined ? [] : [`key ${orderKey}`];
}

/** The number of violations in a line. */
const maxViolations = 3;

/** Returns why an event is not handled yet. A failure of an event that is handled by now is not a reason. */
function reasonsOf({ state, attempts, error, rejection, waitsFor }: InboxEvent): readonly string[] {
  if (state === 'done') return [];
  return [
    ...(attempts === 0 ? [] : [count(attempts, 'failure')]),
    ...(error === undefined ? [] : [error]),
    ...(rejection === undefined ? [] : [describeRejection(rejection)]),
    ...(waitsFor === undefined ? [] : [`waits for ${waitsFor.id} (${waitsFor.state})`]),
  ];
}

function describeRejection({ reason, violations, omitted }: Rejection): string {
  const listed = violations
    .slice(0, maxViolations)
    .map(({ pointer, keyword }) => [pointer, keyword].filter(Boolean).join(' '));
  const further = violations.length - listed.length + omitted;
  const more = further === 0 ? [] : [`${further} more`];
  return listed.length === 0 ? reason : `${reason}: ${[...listed, ...more].join(', ')}`;
}

/** Describes one event, with its payload if it is revealed. */
export function describeEvent(event: InboxEvent | InboxEventWithPayload, paint: Paint): string {
  const { retryAt, failedAt, finishedAt, leaseUntil, rejection } = event;
  const facts = describeRows(paint, [
    ['event', event.id],
    ['state', event.state],
    ['kind', event.kind],
    ['could be', event.kind === undefined ? listOf(rejection?.kinds) : undefined],
    ['key', event.orderKey],
    ['identity', event.identity],
    ['verdict', event.verdict],
    ['received', toTime(event.receivedAt)],
    ['failures', String(event.attempts)],
    ['interruptions', String(event.interruptions)],
    ['last error', event.error],
    ['last failure', failedAt === undefined ? undefined : toTime(failedAt)],
    ...violationRows(rejection),
    ['waits for', describeWait(event)],
    ['lease until', leaseUntil === undefined ? undefined : toTime(leaseUntil)],
    ['next attempt', retryAt === undefined ? undefined : toTime(retryAt)],
    ['finished', finishedAt === undefined ? undefined : toTime(finishedAt)],
  ]);
  const payload =
    'body' in event
      ? describePayload(event)
      : ['payload hidden: --reveal shows it, and records who read it'];
  return `${[...facts, '', ...payload].join('\n')}\n`;
}

function listOf(texts: readonly string[] = []): string | undefined {
  return texts.length === 0 ? undefined : texts.join(', ');
}

function violationRows(
  rejection: Rejection | undefined,
): readonly (readonly [name: string, value: string])[] {
  if (rejection === undefined) return [];
  const { reason, violations, omitted } = rejection;
  const texts = violations.map(({ pointer, keyword, message }) => {
    // The empty pointer is the whole body; an encrypted store has none.
    const place = pointer === '' ? ['the body'] : [pointer];
    return [...place, `${message} (${keyword})`].filter(Boolean).join(' ');
  });
  if (omitted > 0) texts.push(`${omitted} more`);
  return [['violates', reason], ...texts.map((text) => ['', text] as const)];
}

/** Returns what has to happen before an event is handled. */
function describeWait(event: InboxEvent): string | undefined {
  const { state, waitsFor, retryAt, interruptionsInRow } = event;
  if (state === 'dead') return 'an operator, who retries or discards it';
  if (state === 'retry' && retryAt !== undefined)
    return `the time of its next attempt, ${toTime(retryAt)}`;
  if (state === 'ready' && interruptionsInRow > 1)
    return 'a worker that has lived for long enough, and runs nothing beside it';
  if (state === 'ready' && interruptionsInRow > 0) return 'a worker that runs nothing beside it';
  if (state === 'ready') return 'a worker';
  return state === 'waiting' && waitsFor !== undefined ? describeBlocker(waitsFor) : undefined;
}

function describeBlocker({ id, kind, state, until }: Blocker): string {
  const event = kind === undefined ? id : `${id} (${kind})`;
  const time = until === undefined ? '' : toTime(until);
  if (state === 'dead') return `${event}, a dead letter of its key: retry or discard it`;
  if (state === 'retry') return `${event} of its key, which failed and is tried again at ${time}`;
  if (state === 'working')
    return `${event} of its key, which is in work, with a lease until ${time}`;
  return `${event} of its key, which is handled first`;
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

/** What an action does to events: as a result, and as a verb. */
const effects: Readonly<Record<ChangeAction, readonly [result: string, verb: string]>> = {
  retry: ['to be handled again', 'retry'],
  replay: ['to be handled again', 'replay'],
  discard: ['discarded', 'discard'],
};

/** Describes what an action changed. */
export function describeChange(action: ChangeAction, changed: number): string {
  return `${count(changed, 'event')} ${effects[action][0]}\n`;
}

/** Describes what an action would change. */
export function describePreview(
  action: ChangeAction,
  { events, groups, oldestReceivedAt, newestReceivedAt }: ChangePreview,
  paint: Paint,
): string {
  if (events === 0) return `no events to ${effects[action][1]}\n`;
  const from = toTime(oldestReceivedAt ?? 0);
  const to = toTime(newestReceivedAt ?? 0);
  const width = String(events).length;
  const lines = groups.map(
    ({ kind = '-', state, events: ofGroup }) =>
      `  ${String(ofGroup).padStart(width)}  ${paintState(state.padEnd(9), state, paint)}  ${printable(kind)}`,
  );
  const listed = groups.reduce((sum, group) => sum + group.events, 0);
  if (listed < events) lines.push(`  ${String(events - listed).padStart(width)}  of other kinds`);
  return [
    `${count(events, 'event')} to ${effects[action][1]}, received from ${from} to ${to}`,
    ...lines,
    ...(groups.some(({ state }) => state === 'done')
      ? ['Some were handled: their handlers run again, and their effects are repeated.']
      : []),
    `Nothing was changed. Add --yes to ${effects[action][1]} ${events === 1 ? 'it' : 'them'}.`,
    '',
  ].join('\n');
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

/** Returns an age in its largest unit. */
function toAge(milliseconds: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
  ] as const;
  const [unit, length] = units.find(([, unitMs]) => milliseconds >= unitMs) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(milliseconds / length))} ${unit}`;
}

/** Returns text that fits a line of a terminal. */
function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let start = '';
  for (const character of text) {
    if (displayWidth(start + character) >= width) break;
    start += character;
  }
  return `${start}…`;
}
