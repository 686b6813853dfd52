/** Says, as a warning of the process where it has such, that a delivery was lost to a reader before, and what to do. */
export function warnOfConsumedBody(fix: string): void {
  if (typeof process === 'undefined' || typeof process.emitWarning !== 'function') return;
  process.emitWarning('A webhook receiver got a request whose body something had read before.', {
    code: 'COUNTERSIGN_BODY_CONSUMED',
    detail: fix,
  });
}
