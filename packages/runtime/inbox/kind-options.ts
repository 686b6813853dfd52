import { isTimeLimit } from './attempt.ts';
import { InboxError } from './inbox-error.ts';
import { checkNames, createRetry, type NextDelay, type RetryOptions } from './retry.ts';

/** How the events of a kind are handled, where it differs from other kinds. */
export interface KindOptions {
  /**
   * The maximum number of handlers of this kind that run at the same time in this worker, within its `concurrency`.
   * Default: that of the worker.
   */
  readonly concurrency?: number;
  /** Milliseconds after which an attempt has failed, unless its handler extends them. Default: that of the worker. */
  readonly attemptTimeoutMs?: number;
  /** When its failed events are tried again. Each default is that of the worker's `retry`. */
  readonly retry?: RetryOptions;
}

/** How long the attempts of an event may take, and when they are repeated. */
export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly nextDelay: NextDelay;
}

/** The options of a worker that limit attempts. */
interface LimitingOptions {
  readonly attemptTimeoutMs?: number;
  readonly retry?: RetryOptions;
  readonly kinds?: Readonly<Record<string, KindOptions | undefined>>;
}

const knownOptions: ReadonlySet<string> = new Set(['concurrency', 'attemptTimeoutMs', 'retry']);

/**
 * Returns the limits of the attempts of each kind. `random` returns a number from 0 to 1.
 * @throws InboxError `invalid-option`
 */
export function limitsByKind(
  { attemptTimeoutMs: timeoutMs = 60_000, retry = {}, kinds = {} }: LimitingOptions,
  random: () => number,
): (kind: string | undefined) => AttemptLimits {
  checkTime('attemptTimeoutMs', timeoutMs);
  const ofOthers = { timeoutMs, nextDelay: createRetry(retry, random) };
  const ofKinds = new Map<string | undefined, AttemptLimits>();
  for (const [kind, options = {}] of Object.entries(kinds)) {
    const name = `kinds.${kind}`;
    const { concurrency = 1, attemptTimeoutMs = timeoutMs, retry: ofKind = {} } = options;
    checkNames(name, options, knownOptions);
    if (!(Number.isSafeInteger(concurrency) && concurrency > 0))
      throw new InboxError('invalid-option', `\`${name}.concurrency\` must be an integer above 0`);
    checkTime(`${name}.attemptTimeoutMs`, attemptTimeoutMs);
    const nextDelay = createRetry(withDefaults(ofKind, retry), random, `${name}.retry`);
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

/** Returns the options of a kind, with those of the worker where they are left out or undefined. */
function withDefaults(ofKind: RetryOptions, ofWorker: RetryOptions): RetryOptions {
  const stated = Object.entries(ofKind).filter(([, value]) => value !== undefined);
  return { ...ofWorker, ...Object.fromEntries(stated) };
}

function checkTime(name: string, milliseconds: number): void {
  if (!isTimeLimit(milliseconds))
    throw new InboxError('invalid-option', `\`${name}\` must be above 0 and below 2^31`);
}
