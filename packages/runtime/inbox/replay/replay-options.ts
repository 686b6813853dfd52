import { InboxError } from '../inbox-error.ts';

/** The options that all replay stores have. */
export interface ReplayOptions {
  /** Milliseconds for which a confirmed key is remembered. Default: 86,400,000 (one day). */
  readonly timeToLiveMs?: number;
  /**
   * Milliseconds after which a call of the store is rejected. Must be shorter than `storeTimeoutMs` of the receiver,
   * which is 5,000 by default. Default: 3,000.
   */
  readonly timeoutMs?: number;
}

/** The largest delay of a timer in Node; a longer one fires at once. */
const maxDelay = 2_147_483_647;

/**
 * Returns the options with their defaults.
 * @throws InboxError `invalid-option` for a time that is out of range
 */
export function readReplayOptions(options: ReplayOptions): Required<ReplayOptions> {
  const { timeToLiveMs = 86_400_000, timeoutMs = 3_000 } = options;
  if (!(Number.isFinite(timeToLiveMs) && timeToLiveMs > 0))
    throw new InboxError('invalid-option', '`timeToLiveMs` must be a number above 0.');
  if (!(Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= maxDelay))
    throw new InboxError(
      'invalid-option',
      `\`timeoutMs\` must be a number above 0 and at most ${maxDelay}.`,
    );
  // Redis accepts whole milliseconds only.
  return { timeToLiveMs: Math.ceil(timeToLiveMs), timeoutMs };
}

/**
 * Returns a lease in whole milliseconds.
 * @throws InboxError `invalid-option` for a lease that is out of range
 */
export function readLease(leaseMs: number): number {
  if (!(Number.isFinite(leaseMs) && leaseMs > 0))
    throw new InboxError('invalid-option', 'A lease must be a number above 0.');
  return Math.ceil(leaseMs);
}
