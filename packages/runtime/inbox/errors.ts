// The errors of an inbox, and the checks and time limits that cause them.

/** What went wrong; stable between releases. */
export type InboxErrorCode =
  | 'invalid-option'
  | 'unsupported-platform'
  | 'unsafe-durability'
  | 'store-failed'
  | 'connection-lost'
  | 'backlog-full'
  | 'schema-version'
  | 'promise-in-transaction'
  | 'encryption-failed'
  | 'decryption-failed'
  | 'transaction-failed'
  | 'unreadable-event'
  | 'interrupted'
  | 'postponed'
  | 'dead-letter'
  | 'without-effect'
  | 'closed';

/** The error of an inbox and its stores. Its message contains no payload and no credential. It is the reason that a handler gives with `retryAt` and `deadLetter`. */
export class InboxError extends Error {
  override readonly name = 'InboxError' as const;
  readonly code: InboxErrorCode;

  constructor(code: InboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Returns whether an error is that of an inbox or a store, also of another copy of the runtime: an application can have
 * a store from one package and a worker from another.
 */
export function isInboxError(error: unknown): error is InboxError {
  return (
    error instanceof Error &&
    error.name === 'InboxError' &&
    Object.hasOwn(error, 'name') &&
    Object.hasOwn(error, 'code')
  );
}

/** Returns the name of an error, and its code if it has one. Not its message, which can contain personal data. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'The handler threw a value that is not an Error';
  const code = 'code' in error && typeof error.code === 'string' ? ` [${error.code}]` : '';
  return `${error.name}${code}`;
}

/** A promise that other code settles. */
interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

/** Creates a promise that other code settles. The settings of generated packages have no `Promise.withResolvers`. */
export function createDeferred<Value = void>(): Deferred<Value> {
  let resolve: Deferred<Value>['resolve'] = () => undefined;
  let reject: Deferred<Value>['reject'] = () => undefined;
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

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
