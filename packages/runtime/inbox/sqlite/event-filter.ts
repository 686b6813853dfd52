import { parseEventId } from '../receipt-id.ts';
import { failedAtColumn } from '../read-event.ts';
import type { EventFilter } from '../store.ts';

/** A condition over `inbox_events e JOIN inbox_receipts r`, with its parameters. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** Returns the SQL of a filter. */
export function toCondition(filter: EventFilter): Condition {
  const terms: string[] = ['1'];
  const parameters: (string | number)[] = [];
  const add = (term: string, ...values: readonly (string | number)[]): void => {
    terms.push(term);
    parameters.push(...values);
  };
  if (filter.ids !== undefined) {
    const parsed = filter.ids.map(parseEventId).filter((id) => id !== undefined);
    // One parameter, however many identifiers: SQLite limits the number of parameters.
    add(
      `(r.id, e.position) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
      JSON.stringify(parsed.map(({ receiptId, position }) => [receiptId, position])),
    );
  }
  if (filter.state !== undefined) add('e.state = ?', filter.state);
  if (filter.kind !== undefined) add('e.kind = ?', filter.kind);
  if (filter.orderKey !== undefined) add('e.order_key = ?', filter.orderKey);
  if (filter.receivedAfter !== undefined) add('e.received_at >= ?', filter.receivedAfter);
  if (filter.failedAfter !== undefined) add(`${failedAtColumn} >= ?`, filter.failedAfter);
  if (filter.receivedBefore !== undefined) add('e.received_at < ?', filter.receivedBefore);
  return { sql: terms.join(' AND '), parameters };
}
