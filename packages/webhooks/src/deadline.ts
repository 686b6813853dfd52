/** What is there instead of a result that did not come in time. */
export const late: unique symbol = Symbol('late');

/** The result of the work, or `late`. A failure that comes later is nobody's any more. */
export async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, milliseconds, late);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
