import { InboxError } from './inbox-error.ts';
import { eventStates, type EventState } from './event-state.ts';
import { eventId } from './receipt-id.ts';
import type { Payload } from './payloads.ts';
import type { InboxEvent, InboxEventWithPayload } from './store.ts';
import { bytes, integer, optionalInteger, optionalText, text, type Row } from './row.ts';

/** The columns of an event without its payload. `e` is the event, `r` its receipt. */
export const eventColumns: string =
  'e.seq, e.position, e.kind, e.order_key, e.identity, e.identified, e.received_at, e.state, e.attempts, e.interruptions, e.ends, ' +
  'e.retry_at, e.error, e.finished_at, r.id AS receipt_id, r.verdict, r.events';

/** The columns of an event with its payload. */
export const payloadColumns: string = `${eventColumns}, r.method, r.target, r.headers, r.body`;

/** Reads an event from a row with `eventColumns`. */
export function readEvent(row: Row): InboxEvent {
  const receiptId = text(row, 'receipt_id');
  const position = integer(row, 'position');
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
    state: readState(row, 'state'),
    attempts: integer(row, 'attempts'),
    interruptions: integer(row, 'interruptions'),
    interruptionsInRow: integer(row, 'ends'),
    retryAt: optionalInteger(row, 'retry_at'),
    error: optionalText(row, 'error'),
    finishedAt: optionalInteger(row, 'finished_at'),
  };
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

function readState(row: Row, column: string): EventState {
  const value = text(row, column);
  const state = eventStates.find((known) => known === value);
  if (state === undefined) throw new TypeError(`Unknown state ${value}`);
  return state;
}
