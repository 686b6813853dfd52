import { InboxError } from './inbox-error.ts';
import { eventStates, type EventState } from './event-state.ts';
import { eventId } from './receipt-id.ts';
import type { Payload } from './payloads.ts';
import type { Blocker, InboxEvent, InboxEventWithPayload } from './store.ts';
import { readRejection } from './rejection.ts';
import { bytes, integer, optionalInteger, optionalText, text, type Row } from './row.ts';

/** The columns of an event without its payload. `e` is the event, `r` its receipt. */
export const eventColumns: string =
  'e.seq, e.position, e.kind, e.order_key, e.identity, e.identified, e.received_at, e.state, e.attempts, e.interruptions, e.ends, ' +
  'e.retry_at, e.error, e.rejection, e.failed_at, e.finished_at, e.lease_until, r.id AS receipt_id, r.verdict, r.events';

/** The columns of an event with its payload. */
export const payloadColumns: string = `${eventColumns}, r.method, r.target, r.headers, r.body`;

/** Reads an event from a row with `eventColumns`. */
export function readEvent(row: Row): InboxEvent {
  const receiptId = text(row, 'receipt_id');
  const position = integer(row, 'position');
  const state = readState(row, 'state');
  return {
    id: eventId(receiptId, position),
    receiptId,
    position,
    count: integer(row, 'events'),
    kind: optionalText(row, 'kind'),
    orderKey: optionalText(row, 'order_key'),
    identity: optionalText(row, 'identity'),
    identified: integer(row, 'identified') === 1,
    verdict: optionalText(row, 'verdict'),
    receivedAt: integer(row, 'received_at'),
    state,
    attempts: integer(row, 'attempts'),
    interruptions: integer(row, 'interruptions'),
    interruptionsInRow: integer(row, 'ends'),
    retryAt: optionalInteger(row, 'retry_at'),
    error: optionalText(row, 'error'),
    rejection: readRejection(optionalText(row, 'rejection')),
    // An earlier version recorded the time of a dead letter as its end alone.
    failedAt: optionalInteger(row, state === 'dead' ? 'finished_at' : 'failed_at'),
    finishedAt: optionalInteger(row, 'finished_at'),
    leaseUntil: state === 'working' ? optionalInteger(row, 'lease_until') : undefined,
    waitsFor: undefined,
  };
}

/** The SQL of the time of the last failure of an event. */
export const failedAtColumn: string =
  "CASE WHEN e.state = 'dead' THEN e.finished_at ELSE e.failed_at END";

/** The columns of `h`, the event that others of its key wait for. Its receipt is `r`. */
export const blockerColumns: string =
  'h.order_key, r.id AS receipt_id, h.position, h.kind, h.state, h.lease_until, h.retry_at';

/** Returns events with what they wait for, from rows with `blockerColumns`. */
export function addBlockers(
  events: readonly InboxEvent[],
  rows: readonly Row[],
): readonly InboxEvent[] {
  const blockers = new Map(rows.map((row) => [text(row, 'order_key'), readBlocker(row)]));
  return events.map((event) => {
    const { state, orderKey } = event;
    if (state !== 'waiting' || orderKey === undefined) return event;
    return { ...event, waitsFor: blockers.get(orderKey) };
  });
}

function readBlocker(row: Row): Blocker {
  const state = readState(row, 'state');
  const until = state === 'working' ? 'lease_until' : 'retry_at';
  return {
    id: eventId(text(row, 'receipt_id'), integer(row, 'position')),
    kind: optionalText(row, 'kind'),
    state,
    until: optionalInteger(row, until),
  };
}

/** Returns the keys of events that wait, once each. */
export function waitingKeys(events: readonly InboxEvent[]): readonly string[] {
  const waiting = events.filter(({ state }) => state === 'waiting');
  return [...new Set(waiting.flatMap(({ orderKey }) => orderKey ?? []))];
}

/**
 * Returns the place after which a list continues, if it is the `next` of a page. Returns undefined for the identifier of
 * an event, which has a hyphen.
 */
export function parsePlace(after: string): number | undefined {
  return /^\d{1,15}$/.test(after) ? Number(after) : undefined;
}

/** Returns the error for a list that cannot continue. */
export function noEventToContinue(): InboxError {
  return new InboxError(
    'invalid-option',
    'There is no event after which the list could continue. It may have been deleted.',
  );
}

/**
 * Reads an event from a row with `payloadColumns`.
 * @throws InboxError `unreadable-event`
 */
export function readEventWithPayload(row: Row): InboxEventWithPayload {
  const event = readEvent(row);
  const payload = readPayload(row);
  if (payload === undefined) throw unreadable(event.id);
  return { ...event, ...payload };
}

/** Returns the error for an event whose delivery cannot be read. It contains nothing of the delivery. */
export function unreadable(id: string): InboxError {
  return new InboxError('unreadable-event', `The stored delivery of event ${id} cannot be read`);
}

/** Reads the payload of a row with `payloadColumns`. Returns undefined if it is damaged, or of another format. */
export function readPayload(row: Row): Payload | undefined {
  try {
    const headers: unknown = JSON.parse(text(row, 'headers'));
    if (!Array.isArray(headers) || !headers.every(isHeader)) return undefined;
    return {
      method: text(row, 'method'),
      target: text(row, 'target'),
      headers,
      body: bytes(row, 'body'),
    };
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is readonly [name: string, value: string] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
  );
}

/** Reads the state of an event. */
export function readState(row: Row, column: string): EventState {
  const value = text(row, column);
  const state = eventStates.find((name) => name === value);
  if (state === undefined) throw new TypeError(`Unknown state ${value}`);
  return state;
}
