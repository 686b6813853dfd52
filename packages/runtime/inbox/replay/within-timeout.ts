import { createDeferred } from '../deferred.ts';
import { InboxError, isInboxError } from '../inbox-error.ts';

/** How a call of a store is limited, and what happens with a result that comes too late. */
export interface CallLimit<T> {
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
