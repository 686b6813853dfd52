import { InboxError, type InboxErrorCode, isInboxError } from './inbox-error.ts';
import { toReadiness } from './readiness.ts';
import type { InboxDelivery, Received } from './receipt.ts';
import { createReceiptId } from './receipt-id.ts';
import type { InboxStore } from './store.ts';
import type { InboxTelemetry } from './telemetry.ts';
import { telemetryHeader } from './telemetry-mark.ts';
import type { Readiness } from './worker-options.ts';

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

/** Why the last delivery was not stored that could not be. */
export interface ReceiptFailure {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The code of the error, such as `store-failed` or `backlog-full`. */
  readonly code: InboxErrorCode;
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
  /**
   * Returns whether deliveries can be stored. Tries it, unless one was stored since the last call and none failed after
   * it. Rejects if the store fails.
   */
  readiness(): Promise<Readiness>;
  /** Returns the last failure of `receive` in this process, also if later deliveries were stored. */
  lastFailure(): ReceiptFailure | undefined;
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

  let lastFailure: ReceiptFailure | undefined;
  /** Whether a delivery was stored since storing was last tried, and none failed after it. */
  let hasStored = false;

  async function receive(delivery: InboxDelivery): Promise<Received> {
    try {
      const received = await storeDelivery(delivery);
      hasStored ||= received.status === 'stored';
      return received;
    } catch (error) {
      const code = isInboxError(error) ? error.code : 'store-failed';
      // An invalid delivery says nothing about the store.
      if (code !== 'invalid-option') {
        hasStored = false;
        lastFailure = { at: clock(), code };
      }
      throw error;
    }
  }

  async function readiness(): Promise<Readiness> {
    if (!hasStored) await store.tryToStore();
    hasStored = false;
    const stats = await store.stats();
    const hasRoom = maxBacklogEvents === undefined || stats.backlog < maxBacklogEvents;
    return toReadiness(hasRoom, stats);
  }

  async function storeDelivery(delivery: InboxDelivery): Promise<Received> {
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
    readiness,
    lastFailure: () => lastFailure,
    receive: async (delivery) =>
      telemetry === undefined
        ? await receive(delivery)
        : await telemetry.receive(delivery, receive),
  };
}
