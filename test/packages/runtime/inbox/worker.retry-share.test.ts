import { expect, test } from 'vitest';
import { retryShare } from '../../../../packages/runtime/inbox/worker.ts';

test.each([
  [2, 0, { minRetries: 1, maxRetries: 1 }],
  [2, 1, { minRetries: 0, maxRetries: 0 }],
  [3, 0, { minRetries: 1, maxRetries: 2 }],
  [10, 0, { minRetries: 2, maxRetries: 7 }],
  [10, 2, { minRetries: 0, maxRetries: 5 }],
  [10, 9, { minRetries: 0, maxRetries: 0 }],
])('of %i handlers, of which %i have failed events', (concurrency, retries, share) => {
  expect(retryShare(concurrency, retries, true)).toEqual(share);
  expect(retryShare(concurrency, retries, false)).toEqual(share);
});

test('one handler alternates', () => {
  expect(retryShare(1, 0, false)).toEqual({ minRetries: 1, maxRetries: 1 });
  expect(retryShare(1, 0, true)).toEqual({ minRetries: 0, maxRetries: 1 });
});
