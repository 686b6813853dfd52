import { noPayload } from './payloads.ts';
import { readEvent, readPayload } from './read-event.ts';
import { integer, type Row } from './row.ts';
import type { DeadLetterAlert } from './store.ts';

/** The longest time in milliseconds for which an alert is leased or waits for another call. */
export const maxAlertDelayMs = 600_000;

/** Reads an alert from a row with `payloadColumns`, `claims` and `alerts`. Columns of the payload can be absent. */
export function readAlert(row: Row): DeadLetterAlert {
  const event = readEvent(row);
  const reference = {
    id: event.id,
    token: integer(row, 'claims'),
    attempt: integer(row, 'alerts'),
  };
  return { event: { ...event, ...(readPayload(row) ?? noPayload) }, reference };
}
