import { expect, test } from 'vitest';
import { createRetry, type RetryOptions } from '../../../../packages/runtime/base/index.ts';

const create = (options: RetryOptions, random: () => number) =>
  createRetry(options, random, 'retry', (fault) => new RangeError(fault));

test('delays grow up to the longest, and end after the last attempt', () => {
  const next = create({ firstDelayMs: 100, factor: 3, maxDelayMs: 1000, attempts: 5 }, () => 0);
  expect([1, 2, 3, 4, 5, 6].map(next)).toEqual([100, 300, 900, 1000, undefined, undefined]);
});

test('jitter shortens a delay by at most its part', () => {
  const next = create({ firstDelayMs: 100, jitter: 0.2 }, () => 1);
  expect(next(1)).toBe(80);
});

test('a delay stays finite after many attempts', () => {
  const next = create({ attempts: 10_000 }, () => 0);
  expect(next(9999)).toBe(3_600_000);
});

test('the default delays last as long as the guide states', () => {
  const hours = (random: number): number => {
    const next = create({}, () => random);
    let sum = 0;
    for (let failed = 1, delay = next(1); delay !== undefined; delay = next((failed += 1)))
      sum += delay;
    return sum / 3_600_000;
  };
  expect(Math.floor(hours(1))).toBe(4);
  expect(Math.floor(hours(0))).toBe(8);
});
