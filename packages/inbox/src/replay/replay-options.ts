import { InboxError } from '../inbox-error.ts';

/** The options that all replay stores have. */
export interface ReplayOptions {
  /** Milliseconds for which a confirmed key is remembered. Default: 86,400,000 (one day). */
  readonly timeToLive?: number;
  /**
   * Milliseconds after which a call of the store is rejected. Must be shorter than `storeTimeLimit` of the receiver,
   * which is 5,000 by default. Default: 3,000.
   */
  readonly timeout?: number;
}

/** The largest delay of a timer in Node; a longer one fires at once. */
const maxDelay = 2_147_483_647;

/**
 * Returns the options with their defaults.
 * @throws InboxError `invalid-option` for a time that is out of range
 */
export function readReplayOptions(options: ReplayOptions): Required<ReplayOptions> {
  const { timeToLive = 86_400_000, timeout = 3_000 } = options;
  if (!(Number.isFinite(timeToLive) && timeToLive > 0))
    throw new InboxError('invalid-option', '`timeToLive` must be a number above 0.');
  if (!(Number.isFinite(timeout) && timeout > 0 && timeout <= maxDelay))
    throw new InboxError(
      'invalid-option',
      `\`timeout\` must be a number above 0 and at most ${maxDelay}.`,
    );
  // Redis accepts whole milliseconds only.
  return { timeToLive: Math.ceil(timeToLive), timeout };
}

/**
 * Returns a lease in whole milliseconds.
 * @throws InboxError `invalid-option` for a lease that is out of range
 */
export function readLease(lease: number): number {
  if (!(Number.isFinite(lease) && lease > 0))
    throw new InboxError('invalid-option', 'A lease must be a number above 0.');
  return Math.ceil(lease);
}
