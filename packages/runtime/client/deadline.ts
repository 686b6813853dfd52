/** A signal with a time limit, and functions to end its use. */
export interface Deadline {
  /** Aborted when the time is over, or with the outer signal. */
  readonly signal: AbortSignal;
  /** Returns whether the time was over before the outer signal was aborted. */
  readonly isExpired: () => boolean;
  /** Clears the timer and stops listening to the outer signal. The signal then stays as it is. */
  readonly end: () => void;
}

/**
 * Starts a time limit. Unlike `AbortSignal.timeout` and `AbortSignal.any`, it holds nothing after its end: neither a timer
 * nor a listener of an outer signal that many calls share.
 * @param outer a signal that ends the time early
 */
export function startDeadline(milliseconds: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  let isExpired = false;
  const timer = setTimeout(() => {
    isExpired = true;
    end();
    controller.abort(new Error('The time is over.'));
  }, milliseconds);
  const abort = (): void => {
    end();
    controller.abort(outer?.reason);
  };
  const end = (): void => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  };
  if (outer?.aborted === true) abort();
  else outer?.addEventListener('abort', abort);
  return { signal, isExpired: () => isExpired, end };
}

/** Waits for a promise, and rejects with the signal's reason if that is aborted first. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await promise;
  // Without a handler, a failure after the abort would be an unhandled rejection.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits for the given milliseconds. Rejects with the signal's reason if that is aborted first. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await untilAborted(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      }),
      signal,
    );
  } finally {
    clearTimeout(timer);
  }
}
