/** What is there instead of a result that did not come in time. */
export const late: unique symbol = Symbol('late');

/** The result of the work, or `late`. A failure that comes later is nobody's any more. */
export async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof late> {
  if (await isSettledSoon(work)) return await work;
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

/** Most work is done by now: a body that was there, a handler that waits for nothing. A timer would cost more than it. */
async function isSettledSoon(work: Promise<unknown>): Promise<boolean> {
  const state = { isSettled: false };
  const settle = (): void => {
    state.isSettled = true;
  };
  work.then(settle, settle);
  for (let turn = 0; turn < 4 && !state.isSettled; turn++) await Promise.resolve();
  return state.isSettled;
}
