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
