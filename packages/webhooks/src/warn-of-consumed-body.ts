/**
 * Emits a process warning that a delivery was lost because other code had read its body, with the fix. Does nothing on
 * platforms without process warnings.
 */
export function warnOfConsumedBody(fix: string): void {
  if (typeof process === 'undefined' || typeof process.emitWarning !== 'function') return;
  process.emitWarning('Other code read the body of a request before the webhook receiver.', {
    code: 'COUNTERSIGN_BODY_CONSUMED',
    detail: fix,
  });
}
