import { InboxError } from './inbox-error.ts';
import type { InboxDelivery, Received } from './receipt.ts';
import { createReceiptId } from './receipt-id.ts';
import type { InboxStore } from './store.ts';
import type { InboxTelemetry } from './telemetry.ts';
import { telemetryHeader } from './telemetry-mark.ts';

/** The options of `createInbox`. */
export interface InboxOptions<Scope, Result> {
  readonly store: InboxStore<Scope, Result>;
  /**
   * The maximum number of events to handle. A delivery above it is refused. Events that wait for a later attempt or behind
   * a dead letter do not count. Default: no maximum.
   */
  readonly maxBacklogEvents?: number;
  readonly telemetry?: InboxTelemetry;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** Stores deliveries before they are acknowledged. */
export interface Inbox<Scope, Result> {
  readonly store: InboxStore<Scope, Result>;
  /**
   * Stores a delivery. Resolves after the commit is durable. Answer 503 if it rejects.
   * @throws InboxError `store-failed` if the delivery is not stored, or if that is not known; `backlog-full`;
   * `invalid-option` for a delivery without an event
   */
  receive(delivery: InboxDelivery): Promise<Received>;
}

/** Headers that contain credentials, and the one that only an inbox writes: those of senders are not stored. */
const refusedHeaders: ReadonlySet<string> = new Set([
  telemetryHeader,
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
]);

/**
 * Creates an inbox over a store.
 * @throws InboxError `invalid-option`
 */
export function createInbox<Scope, Result>(
  options: InboxOptions<Scope, Result>,
): Inbox<Scope, Result> {
  const { store, maxBacklogEvents, telemetry, clock = () => Date.now() } = options;
  if (
    maxBacklogEvents !== undefined &&
    !(Number.isSafeInteger(maxBacklogEvents) && maxBacklogEvents > 0)
  )
    throw new InboxError('invalid-option', '`maxBacklogEvents` must be an integer above 0');

  async function receive(delivery: InboxDelivery): Promise<Received> {
    if (delivery.events.length === 0)
      throw new InboxError('invalid-option', 'A delivery must have at least one event');
    const receivedAt = clock();
    const receiptId = createReceiptId(receivedAt);
    const events = await store.receive(
      {
        ...delivery,
        headers: [
          ...delivery.headers.filter(([name]) => !refusedHeaders.has(name.toLowerCase())),
          ...(telemetry === undefined ? [] : [[telemetryHeader, '1'] as const]),
        ],
        id: receiptId,
        receivedAt,
      },
      maxBacklogEvents === undefined ? {} : { maxBacklogEvents },
    );
    const stored = events.some(({ status }) => status === 'stored');
    return { status: stored ? 'stored' : 'duplicate', receiptId, events };
  }

  return {
    store,
    receive: async (delivery) =>
      telemetry === undefined
        ? await receive(delivery)
        : await telemetry.receive(delivery, receive),
  };
}
