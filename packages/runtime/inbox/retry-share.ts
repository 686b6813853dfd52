/** How many failed events a worker claims. */
export interface RetryShare {
  /** Before any first attempt. */
  readonly minRetries: number;
  readonly maxRetries: number;
}

/**
 * Returns how many failed events a worker claims. A quarter of its handlers is kept for first attempts, so that events
 * which fail do not delay others, and a quarter for further attempts. A worker with one handler alternates.
 * @param retriesInWork the number of failed events in work
 * @param lastWasRetry whether the worker claimed a failed event last
 */
export function retryShare(
  concurrency: number,
  retriesInWork: number,
  lastWasRetry: boolean,
): RetryShare {
  if (concurrency === 1) return { minRetries: lastWasRetry ? 0 : 1, maxRetries: 1 };
  const kept = Math.ceil(concurrency / 4);
  return {
    minRetries: Math.max(0, Math.max(1, Math.floor(concurrency / 4)) - retriesInWork),
    maxRetries: Math.max(0, concurrency - kept - retriesInWork),
  };
}
