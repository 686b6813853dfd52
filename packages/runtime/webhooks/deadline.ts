import type { Delivery } from './delivery.ts';
import { isPromise, type MaybePromise } from './maybe-promise.ts';

/** The result of work that did not finish in time. */
export const timedOut: unique symbol = Symbol('timed out');

/**
 * Returns the result of the work, or `timedOut` after the given milliseconds. A later failure of the work is ignored here.
 */
export function within<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
    };
    Promise.resolve(work).then(
      (result) => {
        end();
        resolve(result);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
    afterMostWork(() => {
      if (!isOver) timer = setTimeout(resolve, milliseconds, timedOut);
    });
  });
}

/**
 * Returns the result of work that never rejects, or `instead` where it does not finish in time. The work then continues,
 * and its result is dropped.
 */
export function withinOr<T, L>(
  work: MaybePromise<T>,
  milliseconds: number,
  delivery: Delivery,
  instead: L,
): MaybePromise<T | L> {
  if (!isPromise(work)) return work;
  return within(work, milliseconds).then((done) => {
    if (done !== timedOut) return done;
    delivery.request.waitUntil?.(work);
    return instead;
  });
}

/**
 * Calls a function when most work has finished, such as reading a body that has arrived: a timer for each would cost
 * more. Deliveries do not share a timer, because some platforms end the timers of a request with it.
 */
function afterMostWork(action: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(action);
  else afterMicrotasks(8, action);
}

function afterMicrotasks(count: number, action: () => void): void {
  if (count === 0) action();
  else queueMicrotask(() => afterMicrotasks(count - 1, action));
}
