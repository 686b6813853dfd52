/** What `T` is at once, or becomes. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether something has yet to come. Promises of other realms and libraries count: a lost answer would pass for one. */
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
  return isPromise(value) ? value.then(next) : next(value);
}
