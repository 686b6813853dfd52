/** What is there instead of a result that did not come in time. */
export const late: unique symbol = Symbol('late');

/** The result of the work, or `late`. A failure that comes later is left to whoever else holds the work. */
export async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof late> {
  return await new Promise((resolve, reject) => {
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
    // Most work is done within a few turns, and a timer would cost more than it.
    let turns = 3;
    const look = (): void => {
      if (isOver) return;
      if (turns-- > 0) queueMicrotask(look);
      else timer = setTimeout(resolve, milliseconds, late);
    };
    queueMicrotask(look);
  });
}
