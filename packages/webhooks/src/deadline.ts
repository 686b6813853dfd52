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
    work.then(
      (result) => {
        end();
        resolve(result);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
    // A result that is there by now needs no timer, which would cost more than all of this.
    queueMicrotask(() => {
      if (!isOver) timer = setTimeout(resolve, milliseconds, late);
    });
  });
}
