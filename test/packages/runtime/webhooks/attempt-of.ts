import type { WorkerAttempt } from '../../../../packages/runtime/webhooks/stored-events.ts';

/** Returns what a worker adds to the context of a handler. No decision is expected. */
export function attemptOf(attempt: number): WorkerAttempt {
  const refuse = (): never => {
    throw new Error('expected no decision');
  };
  const { signal } = new AbortController();
  return {
    signal,
    attempt,
    retryAt: refuse,
    deadLetter: refuse,
    completeWithoutEffect: refuse,
    extendTimeout: refuse,
  };
}
