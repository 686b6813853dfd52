import { parseEventId } from '../receipt-id.ts';
import type { EventFilter } from '../store.ts';
import { failedAtColumn } from '../read-event.ts';
import { queueOf } from './locks.ts';

/** A condition over `inbox_events e`, with its parameters from `$1`. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Returns the SQL of a filter. */
export function toCondition(filter: EventFilter): Condition {
  const terms: string[] = ['true'];
  const parameters: unknown[] = [];
  const place = (value: unknown): string => `$${parameters.push(value)}`;
  if (filter.ids !== undefined) {
    const parsed = filter.ids.map(parseEventId).filter((id) => id !== undefined);
    const receiptIds = place(parsed.map(({ receiptId }) => receiptId));
    const positions = place(parsed.map(({ position }) => position));
    terms.push(
      `(e.receipt_id, e.position) IN (SELECT * FROM unnest(${receiptIds}::text[], ${positions}::integer[]))`,
    );
  }
  if (filter.state !== undefined) terms.push(`e.state = ${place(filter.state)}`);
  if (filter.kind !== undefined) terms.push(`e.kind = ${place(filter.kind)}`);
  if (filter.orderKey !== undefined)
    terms.push(
      `e.queue = ${place(queueOf(filter.orderKey))} AND e.order_key = ${place(filter.orderKey)}`,
    );
  if (filter.receivedAfter !== undefined)
    terms.push(`e.received_at >= ${place(filter.receivedAfter)}`);
  if (filter.failedAfter !== undefined)
    terms.push(`${failedAtColumn} >= ${place(filter.failedAfter)}`);
  if (filter.receivedBefore !== undefined)
    terms.push(`e.received_at < ${place(filter.receivedBefore)}`);
  return { sql: terms.join(' AND '), parameters };
}
