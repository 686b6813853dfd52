// What traces and metrics observe of an inbox.

import type { WarnOfFailure } from '../base/index.ts';
import type { Claim, InboxDelivery, InboxEventWithPayload, InboxStats, Received } from './store.ts';

/** How an attempt ended. */
export interface AttemptResult {
  /**
   * - `handled`: the event is completed.
   * - `without-effect`: the handler completed it with `completeWithoutEffect`.
   * - `replaced`: its delivery was identified, and its events are handled instead.
   * - `failed`: it will be tried again.
   * - `postponed`: it will be tried again when the handler said, with `retryAt`.
   * - `dead`: it will not be tried again.
   * - `lost`: another worker has the event.
   * - `released`: the worker stopped or the store failed. This does not count as an attempt.
   */
  readonly outcome:
    | 'handled'
    | 'without-effect'
    | 'replaced'
    | 'failed'
    | 'postponed'
    | 'dead'
    | 'lost'
    | 'released';
  /** The error of the handler, or its decision. Its message can contain personal data. */
  readonly error?: unknown;
}

/** Observes an inbox and its workers, for example `openTelemetry(api)` of the entry `inbox/telemetry`. */
export interface InboxTelemetry {
  /** Calls `store` once, with headers added to the delivery if a worker needs them, and returns its result. */
  receive(
    delivery: InboxDelivery,
    store: (delivery: InboxDelivery) => Promise<Received>,
  ): Promise<Received>;
  /** Calls `run` once, and returns its result. `attempt` is 1 for the first attempt. */
  attempt(
    event: InboxEventWithPayload,
    attempt: number,
    run: () => Promise<AttemptResult>,
  ): Promise<AttemptResult>;
  /** Is called when a worker starts. Returns a function that is called when it has stopped. */
  observe(stats: () => Promise<InboxStats>): () => void;
}

/** The header under which an inbox with telemetry records that it has telemetry. Those of senders are not stored. */
export const telemetryHeader = 'x-countersign-telemetry';

/**
 * Warns if only one side has telemetry, the inbox that stored a delivery or this worker: its attempts are then not in
 * the trace of its receipt, or are in no trace.
 * @param since the time before which a delivery without telemetry causes no warning: it can be from an earlier version of
 * the receiver
 */
export function warnOfOneSide(
  { event, unreadable = false }: Claim,
  hasTelemetry: boolean,
  since: number,
  warn: WarnOfFailure,
): void {
  if (unreadable || event.target === '') return;
  const isMarked = event.headers.some(([name]) => name === telemetryHeader);
  if (isMarked === hasTelemetry || (!isMarked && event.receivedAt < since)) return;
  const [has, lacks] = hasTelemetry ? ['worker', 'inbox'] : ['inbox', 'worker'];
  warn({
    code: 'COUNTERSIGN_TELEMETRY',
    message: `The ${has} has \`telemetry\`, but the ${lacks} of an event has none`,
    help: `Traces of receipts and handlers are not connected. Give the option \`telemetry\` to \`create${lacks === 'inbox' ? 'Inbox' : 'Worker'}\` as well.`,
  });
}
