import { setTimeout as wait } from 'node:timers/promises';
import { InboxError, isInboxError } from '../inbox-error.ts';

/** The result codes of SQLite for a file that another connection has locked. The low byte is the primary code. */
const lockedCodes: readonly number[] = [5, 6];

/** Returns whether SQLite failed because another connection has locked the file. */
export function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    lockedCodes.includes(error.errcode & 0xff)
  );
}

/**
 * Runs a transaction, and repeats it while another process has locked the file. The wait between attempts is a timer:
 * the busy timeout of SQLite would block the event loop.
 * @throws InboxError `store-failed` if the transaction fails, or the file is still locked after `timeoutMs` milliseconds
 */
export async function retryWhileBusy<T>(transaction: () => T, timeoutMs: number): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return transaction();
    } catch (error) {
      if (isInboxError(error)) throw error;
      if (!isBusy(error))
        throw new InboxError('store-failed', 'The replay store failed.', { cause: error });
      const left = end - performance.now();
      if (left <= 0)
        throw new InboxError(
          'store-failed',
          `Another process has locked the replay store for ${timeoutMs} ms.`,
          { cause: error },
        );
      // Random waits, so that processes which collided do not collide again.
      await wait(Math.min(left, 1 + Math.random() * Math.min(attempt, 20)));
    }
  }
}
