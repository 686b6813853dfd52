import { InboxError } from './inbox-error.ts';

/** When a failed event is tried again. */
export interface RetryOptions {
  /**
   * The number of attempts after which an event is a dead letter. Default: 20, with delays of four to eight hours in
   * all.
   */
  readonly attempts?: number;
  /** Milliseconds before the second attempt. Default: 1,000. */
  readonly firstDelayMs?: number;
  /** The factor between a delay and the next one. Default: 2. */
  readonly factor?: number;
  /** The longest delay, in milliseconds. Default: 3,600,000 (one hour). */
  readonly maxDelayMs?: number;
  /** The part of a delay that is random, from 0 to 1: a delay is shorter by up to this part. Default: 0.5. */
  readonly jitter?: number;
}

/** Returns the delay after a failed attempt, in milliseconds. Undefined after the last attempt. */
export type NextDelay = (failedAttempts: number) => number | undefined;

const knownOptions: ReadonlySet<string> = new Set([
  'attempts',
  'firstDelayMs',
  'factor',
  'maxDelayMs',
  'jitter',
]);

/**
 * Checks when failed events are tried again. `random` returns a number from 0 to 1.
 * @param name the name of the option in errors
 * @throws InboxError `invalid-option`
 */
export function createRetry(
  options: RetryOptions,
  random: () => number,
  name: string = 'retry',
): NextDelay {
  checkNames(name, options, knownOptions);
  const {
    attempts = 20,
    firstDelayMs = 1000,
    factor = 2,
    maxDelayMs = 3_600_000,
    jitter = 0.5,
  } = options;
  if (!(firstDelayMs >= 0 && factor >= 1 && maxDelayMs >= firstDelayMs && maxDelayMs < Infinity))
    throw new InboxError(
      'invalid-option',
      `\`${name}\` must have a \`firstDelayMs\` from 0 to \`maxDelayMs\`, and a \`factor\` of at least 1`,
    );
  if (!(jitter >= 0 && jitter <= 1))
    throw new InboxError('invalid-option', `\`${name}.jitter\` must be a number from 0 to 1`);
  if (!(Number.isSafeInteger(attempts) && attempts > 0))
    throw new InboxError('invalid-option', `\`${name}.attempts\` must be an integer above 0`);
  return (failedAttempts) => {
    if (failedAttempts >= attempts) return undefined;
    const delay = Math.min(maxDelayMs, firstDelayMs * factor ** (failedAttempts - 1));
    return Math.round(delay * (1 - jitter * random()));
  };
}

/**
 * Checks that an object has no other options than the known ones, which the error names.
 * @throws InboxError `invalid-option`
 */
export function checkNames(name: string, options: object, names: ReadonlySet<string>): void {
  const unknown = Object.keys(options).find((option) => !names.has(option));
  if (unknown !== undefined)
    throw new InboxError(
      'invalid-option',
      `\`${name}\` has no option \`${unknown}\`. Its options are ${[...names].map((option) => `\`${option}\``).join(', ')}`,
    );
}
