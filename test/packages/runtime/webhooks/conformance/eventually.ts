import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until a value is the expected one, for at most 10 seconds, and returns what it is then. `expect.poll` is not
 * available: the suite also runs in processes without vitest.
 */
export async function eventually<T>(read: () => T, expected: T): Promise<T> {
  const end = Date.now() + 10_000;
  while (read() !== expected && Date.now() < end) await delay(5);
  return read();
}
