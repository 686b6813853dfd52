import { InboxError } from './inbox-error.ts';
import { maxLeaseMs } from './store.ts';

/**
 * Checks the length of a lease.
 * @throws InboxError `invalid-option`
 */
export function checkLease(leaseMs: number): void {
  if (!(leaseMs > 0 && leaseMs <= maxLeaseMs))
    throw new InboxError('invalid-option', `A lease must be above 0 and at most ${maxLeaseMs} ms`);
}
