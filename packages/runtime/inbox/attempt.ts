import { createDeferred } from './deferred.ts';

/** Returns whether a timer of Node can hold a time limit: a 32-bit number above 0. */
export function isTimeLimit(milliseconds: number): boolean {
  return milliseconds > 0 && milliseconds < 2 ** 31;
}

/** The error of an attempt that took longer than its time limit. */
class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError' as const;

  constructor(timeoutMs: number) {
    super(`The handler took longer than ${timeoutMs} ms`);
  }
}

/**
 * Runs a function until its time limit or until `signal` aborts, whichever is first. The function gets a signal of
 * both, and a function that moves its time limit to so many milliseconds from now, unless it is later already. It
 * cannot be stopped; its late result is ignored.
 */
export async function runWithin<Result>(
  timeoutMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal, extend: (timeoutMs: number) => void) => Result | Promise<Result>,
): Promise<Result> {
  const expiry = new AbortController();
  const either = AbortSignal.any([signal, expiry.signal]);
  const ended = createDeferred<never>();
  const abort = (): void => ended.reject(either.reason);
  either.addEventListener('abort', abort);
  // Only one of the two is awaited to its end.
  ended.promise.catch(() => undefined);
  const start = performance.now();
  let end = start + timeoutMs;
  const startTimer = (milliseconds: number): NodeJS.Timeout =>
    setTimeout(() => expiry.abort(new TimeLimitError(Math.round(end - start))), milliseconds);
  let timer: NodeJS.Timeout | undefined = startTimer(timeoutMs);
  const extend = (milliseconds: number): void => {
    const later = performance.now() + milliseconds;
    // Without a timer, the function has returned.
    if (timer === undefined || later <= end) return;
    clearTimeout(timer);
    end = later;
    timer = startTimer(milliseconds);
  };
  try {
    signal.throwIfAborted();
    return await Promise.race([run(either, extend), ended.promise]);
  } finally {
    clearTimeout(timer);
    timer = undefined;
    either.removeEventListener('abort', abort);
  }
}
