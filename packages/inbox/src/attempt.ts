import { setTimeout as delay } from 'node:timers/promises';

/** The error of an attempt that took longer than its time limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError' as const;

  constructor(timeLimitMs: number) {
    super(`The handler took longer than ${timeLimitMs} ms`);
  }
}

/**
 * Runs a function until its time limit or until `signal` aborts, whichever is first. The function gets a signal of
 * both. It cannot be stopped; its late result is ignored.
 */
export async function runWithin<Result>(
  timeLimitMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  const expiry = new AbortController();
  const settled = new AbortController();
  const either = AbortSignal.any([signal, expiry.signal]);
  const ended = Promise.withResolvers<never>();
  const abort = (): void => ended.reject(either.reason);
  either.addEventListener('abort', abort);
  // Only one of the two is awaited to its end.
  ended.promise.catch(() => undefined);
  delay(timeLimitMs, undefined, { signal: settled.signal }).then(
    () => expiry.abort(new TimeLimitError(timeLimitMs)),
    () => undefined,
  );
  try {
    signal.throwIfAborted();
    return await Promise.race([run(either), ended.promise]);
  } finally {
    settled.abort();
    either.removeEventListener('abort', abort);
  }
}
