/**
 * Emits a process warning that a delivery was lost because other code had read its body, with the fix. Does nothing on
 * platforms without process warnings.
 */
export function warnOfConsumedBody(fix: string): void {
  if (typeof process === 'undefined' || typeof process.emitWarning !== 'function') return;
  process.emitWarning('A webhook receiver got a request whose body something had read before.', {
    code: 'COUNTERSIGN_BODY_CONSUMED',
    detail: fix,
  });
}
