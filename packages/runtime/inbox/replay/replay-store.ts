// What the replay stores share: options, time limits and repetitions.

import { setTimeout as wait } from 'node:timers/promises';
import { createDeferred, InboxError, isInboxError } from '../errors.ts';

/** The result of a claim: this delivery holds the key, the event was handled before, or another delivery holds the key. */
export type ReplayClaim = 'claimed' | 'seen' | 'busy';

/**
 * Remembers which events were handled, for all processes that share the store. It has the members of `ReplayStore` of
 * the entry `webhooks`, which `inbox` does not import.
 *
 * `owner` identifies the delivery that makes a call. If the owner of a claim repeats the claim, the lease starts again.
 */
export interface ReplayStore {
  /**
   * Claims a key for `leaseMs` milliseconds. Returns the state of `formerKey` instead if that is confirmed or held by
   * another owner: it is what an earlier version of the receiver stored for the event, and is never claimed.
   * @throws InboxError `store-failed` if the store fails or does not answer in time
   */
  readonly claim: (
    key: string,
    leaseMs: number,
    owner: string,
    formerKey?: string,
  ) => Promise<ReplayClaim>;
  /**
   * Records that the event was handled, unless another owner holds the key.
   * @throws InboxError `store-failed` if the store fails or does not answer in time
   */
  readonly confirm: (key: string, owner: string) => Promise<void>;
  /**
   * Removes the claim of this owner, if it still holds the key.
   * @throws InboxError `store-failed` if the store fails or does not answer in time
   */
  readonly release: (key: string, owner: string) => Promise<void>;
}

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

/** How a call of a store is limited, and what happens with a result that comes too late. */
interface CallLimit<T> {
  readonly timeoutMs: number;
  /** Gets the result of a call that was rejected because of the timeout. */
  readonly onLate?: (result: T) => Promise<void>;
}

/**
 * Calls a store and rejects with `store-failed` if the call fails or has no result in time. The client of a server that
 * has stopped can keep a command until it connects again.
 */
export async function withinTimeout<T>(
  call: () => Promise<T>,
  { timeoutMs, onLate }: CallLimit<T>,
): Promise<T> {
  const { promise: outOfTime, reject } = createDeferred<never>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reject(new InboxError('store-failed', `The replay store did not answer in ${timeoutMs} ms.`));
  }, timeoutMs);
  const answer = async (): Promise<T> => {
    const result = await call();
    // The caller has its error already: a failure of the clean-up is not reported.
    if (isLate) await onLate?.(result).catch(() => undefined);
    return result;
  };
  try {
    return await Promise.race([answer(), outOfTime]);
  } catch (error) {
    if (isInboxError(error)) throw error;
    throw new InboxError('store-failed', 'The replay store failed.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The result codes of SQLite for a file that another connection has locked. The low byte is the primary code. */
const lockedCodes: readonly number[] = [5, 6];

/** Returns whether SQLite failed because another connection has locked the file. */
export function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    lockedCodes.includes(error.errcode & 0xff)
  );
}

/**
 * Runs a transaction, and repeats it while another process has locked the file. The wait between attempts is a timer:
 * the busy timeout of SQLite would block the event loop.
 * @throws InboxError `store-failed` if the transaction fails, or the file is still locked after `timeoutMs` milliseconds
 */
export async function retryWhileBusy<T>(transaction: () => T, timeoutMs: number): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return transaction();
    } catch (error) {
      if (isInboxError(error)) throw error;
      if (!isBusy(error))
        throw new InboxError('store-failed', 'The replay store failed.', { cause: error });
      const left = end - performance.now();
      if (left <= 0)
        throw new InboxError(
          'store-failed',
          `Another process has locked the replay store for ${timeoutMs} ms.`,
          { cause: error },
        );
      // Random waits, so that processes which collided do not collide again.
      await wait(Math.min(left, 1 + Math.random() * Math.min(attempt, 20)));
    }
  }
}
