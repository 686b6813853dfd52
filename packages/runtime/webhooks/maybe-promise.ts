/** A value or a promise of it. `await` accepts both. */
export type MaybePromise<T> = T | Promise<T>;

/** Returns whether a value is a promise or another thenable. Convert a thenable with `Promise.resolve` before use. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  );
}

/** Calls `next` with the value. Calls it synchronously if the value is not a promise, which is many times faster. */
export function mapMaybePromise<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
