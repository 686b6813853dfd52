/** What is there instead of a result that did not come in time. */
export const late: unique symbol = Symbol('late');

/** The result of the work, or `late`. A failure that comes later is left to whoever else holds the work. */
export function within<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof late> {
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
    const wait = (left: number): void => {
      if (isOver) return;
      if (left > 0) queueMicrotask(() => wait(left - 1));
      else timer = setTimeout(resolve, milliseconds, late);
    };
    // Most work is done within a few turns of the queue of microtasks, and a timer costs more than they do.
    wait(8);
  });
}
