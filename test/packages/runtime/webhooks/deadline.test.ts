import { afterEach, expect, test, vi } from 'vitest';
import { timedOut, within } from '../../../../packages/runtime/webhooks/receiver.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Resolves after so many microtasks, as a body does that has arrived. */
async function afterMicrotasks(count: number): Promise<string> {
  for (let index = 0; index < count; index++) await Promise.resolve();
  return 'done';
}

test('work that finishes before the next turn of the event loop needs no timer', async () => {
  const timer = vi.spyOn(globalThis, 'setTimeout');
  expect(await within(afterMicrotasks(50), 1000)).toBe('done');
  await new Promise(setImmediate);
  expect(timer).not.toHaveBeenCalled();
});

test('the timer of work that takes longer is cleared when the work ends', async () => {
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const timer = vi.spyOn(globalThis, 'setTimeout');
  const work = Promise.withResolvers<string>();
  const waiting = within(work.promise, 100_000);
  await new Promise(setImmediate);
  expect(timer).toHaveBeenCalledTimes(1);
  work.resolve('done');
  expect(await waiting).toBe('done');
  expect(cleared).toHaveBeenCalledWith(timer.mock.results[0]?.value);
});

test.each([
  ['as in Node', setImmediate],
  ['without setImmediate', undefined],
])('work that never ends has timed out, %s', async (_, immediate) => {
  vi.stubGlobal('setImmediate', immediate);
  expect(await within(new Promise(() => {}), 5)).toBe(timedOut);
  await expect(within(Promise.reject(new Error('fails')), 5)).rejects.toThrow('fails');
  expect(await within(afterMicrotasks(3), 5)).toBe('done');
});
