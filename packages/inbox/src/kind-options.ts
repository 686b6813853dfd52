import { isTimeLimit } from './attempt.ts';
import { createBackoff, type Backoff, type NextDelay } from './backoff.ts';
import { InboxError } from './inbox-error.ts';

/** When the failed events of a kind are tried again. Each default is that of the worker's `backoff`. */
export interface KindRetry {
  /** The number of attempts after which an event is a dead letter. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt. */
  readonly firstDelayMs?: number;
  /** The factor between a delay and the next one. */
  readonly factor?: number;
  /** The longest delay, in milliseconds. */
  readonly maxDelayMs?: number;
  /** The part of a delay that is random, from 0 to 1: a delay is shorter by up to this part. */
  readonly jitter?: number;
}

/** How the events of a kind are handled, where it differs from other kinds. */
export interface KindOptions {
  /**
   * The maximum number of handlers of this kind that run at the same time in this worker, within its `concurrency`.
   * Default: that of the worker.
   */
  readonly concurrency?: number;
  /** Milliseconds after which an attempt has failed, unless its handler extends them. Default: the worker's `timeLimitMs`. */
  readonly attemptTimeoutMs?: number;
  readonly retry?: KindRetry;
}

/** How long the attempts of an event may take, and when they are repeated. */
export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly nextDelay: NextDelay;
}

/** The options of a worker that limit attempts. */
interface LimitingOptions {
  readonly timeLimitMs?: number;
  readonly backoff?: Backoff;
  readonly kinds?: Readonly<Record<string, KindOptions | undefined>>;
}

const knownOptions: ReadonlySet<string> = new Set(['concurrency', 'attemptTimeoutMs', 'retry']);

const knownRetryOptions: ReadonlySet<string> = new Set([
  'attempts',
  'firstDelayMs',
  'factor',
  'maxDelayMs',
  'jitter',
]);

/**
 * Returns the limits of the attempts of each kind. `random` returns a number from 0 to 1.
 * @throws InboxError `invalid-option`
 */
export function limitsByKind(
  { timeLimitMs = 60_000, backoff = {}, kinds = {} }: LimitingOptions,
  random: () => number,
): (kind: string | undefined) => AttemptLimits {
  checkTime('timeLimitMs', timeLimitMs);
  const ofOthers = { timeoutMs: timeLimitMs, nextDelay: createBackoff(backoff, random) };
  const ofKinds = new Map<string | undefined, AttemptLimits>();
  for (const [kind, options = {}] of Object.entries(kinds)) {
    const name = `kinds.${kind}`;
    const { concurrency = 1, attemptTimeoutMs = timeLimitMs, retry = {} } = options;
    checkNames(name, options, knownOptions);
    if (!(Number.isSafeInteger(concurrency) && concurrency > 0))
      throw new InboxError('invalid-option', `\`${name}.concurrency\` must be an integer above 0`);
    checkNames(`${name}.retry`, retry, knownRetryOptions);
    checkTime(`${name}.attemptTimeoutMs`, attemptTimeoutMs);
    const nextDelay = createBackoff(toBackoff(retry, backoff), random, `${name}.retry`);
    ofKinds.set(kind, { timeoutMs: attemptTimeoutMs, nextDelay });
  }
  return (kind) => ofKinds.get(kind) ?? ofOthers;
}

/** Returns the number of handlers that a kind can have at most, of those for which it is stated. */
export function concurrencyOfKinds(
  kinds: LimitingOptions['kinds'] = {},
): ReadonlyMap<string, number> {
  const stated = new Map<string, number>();
  for (const [kind, options] of Object.entries(kinds))
    if (options?.concurrency !== undefined) stated.set(kind, options.concurrency);
  return stated;
}

function toBackoff(retry: KindRetry, { firstMs, maxMs, ...others }: Backoff): Backoff {
  const { firstDelayMs = firstMs, maxDelayMs = maxMs, ...own } = retry;
  return {
    ...others,
    ...own,
    ...(firstDelayMs !== undefined && { firstMs: firstDelayMs }),
    ...(maxDelayMs !== undefined && { maxMs: maxDelayMs }),
  };
}

function checkTime(name: string, milliseconds: number): void {
  if (!isTimeLimit(milliseconds))
    throw new InboxError('invalid-option', `\`${name}\` must be above 0 and below 2^31`);
}

function checkNames(name: string, options: object, known: ReadonlySet<string>): void {
  const unknown = Object.keys(options).find((option) => !known.has(option));
  if (unknown !== undefined)
    throw new InboxError('invalid-option', `\`${name}\` has no option \`${unknown}\``);
}
