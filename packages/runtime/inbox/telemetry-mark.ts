import type { Claim } from './store.ts';
import type { WarnOfFailure } from '../base/index.ts';

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
