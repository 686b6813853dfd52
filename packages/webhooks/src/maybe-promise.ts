/** What `T` is at once, or becomes. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Whether something has yet to come. What only resembles a promise counts, and goes through `Promise.resolve`
 * before anything is asked of it: taken for a value, it would be a wrong one.
 */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

/** Goes on with a value: at once where it is there, which costs a fraction of what a promise does. */
export function whenThere<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
