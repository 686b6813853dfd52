import { InboxError } from './inbox-error.ts';

/** When a failed event is tried again. */
export interface Backoff {
  /** Milliseconds before the second attempt. Default: 1,000. */
  readonly firstMs?: number;
  /** The factor between a delay and the next one. Default: 2. */
  readonly factor?: number;
  /** The longest delay, in milliseconds. Default: 3,600,000 (one hour). */
  readonly maxMs?: number;
  /** The part of a delay that is random, from 0 to 1: a delay is shorter by up to this part. Default: 0.5. */
  readonly jitter?: number;
  /**
   * The number of attempts after which an event is a dead letter. Default: 20, with delays of four to eight hours in
   * all.
   */
  readonly attempts?: number;
}

/** Returns the delay after a failed attempt, in milliseconds. Undefined after the last attempt. */
export type NextDelay = (failedAttempts: number) => number | undefined;

/**
 * Checks the options of a backoff. `random` returns a number from 0 to 1.
 * @param name the name of the option in errors
 * @throws InboxError `invalid-option`
 */
export function createBackoff(
  backoff: Backoff,
  random: () => number,
  name: string = 'backoff',
): NextDelay {
  const { firstMs = 1000, factor = 2, maxMs = 3_600_000, jitter = 0.5, attempts = 20 } = backoff;
  if (!(firstMs >= 0 && factor >= 1 && maxMs >= firstMs && maxMs < Infinity))
    throw new InboxError(
      'invalid-option',
      `\`${name}\` must have a first delay from 0 to its longest delay, and a \`factor\` of at least 1`,
    );
  if (!(jitter >= 0 && jitter <= 1))
    throw new InboxError('invalid-option', `\`${name}.jitter\` must be a number from 0 to 1`);
  if (!(Number.isSafeInteger(attempts) && attempts > 0))
    throw new InboxError('invalid-option', `\`${name}.attempts\` must be an integer above 0`);
  return (failedAttempts) => {
    if (failedAttempts >= attempts) return undefined;
    const delay = Math.min(maxMs, firstMs * factor ** (failedAttempts - 1));
    return Math.round(delay * (1 - jitter * random()));
  };
}
