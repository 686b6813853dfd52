import { expect, test } from 'vitest';
import { ratioInterval } from '../../../bench/compare/ratio-interval.ts';

const numbers = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => ((index * 7) % count) + 1);

// The ranks are those of the table of the sign test.
test.each([
  [15, { median: 8, low: 4, high: 12 }, 0.9648],
  [20, { median: 10.5, low: 6, high: 15 }, 0.9586],
  [9, { median: 5, low: 2, high: 8 }, 0.9609],
  [6, { median: 3.5, low: 1, high: 6 }, 0.9688],
])('%i ratios have the interval between two of them', (count, expected, confidence) => {
  const interval = ratioInterval(numbers(count));
  expect(interval).toMatchObject(expected);
  expect(interval.confidence).toBeCloseTo(confidence, 4);
});

test('too few ratios have all of them as the interval, with the confidence that this has', () => {
  expect(ratioInterval([1.5])).toEqual({ median: 1.5, low: 1.5, high: 1.5, confidence: 0 });
  expect(ratioInterval([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3, confidence: 0.75 });
});

test('the interval has the true median as often as it says', () => {
  // A generator of random numbers with a fixed seed.
  let state = 1;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const rounds = 4000;
  let hits = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { low, high } = ratioInterval(Array.from({ length: 15 }, () => random() ** 3));
    if (low <= 0.125 && 0.125 <= high) hits += 1;
  }
  expect(Math.abs(hits / rounds - 0.9648)).toBeLessThan(0.01);
});

test('no ratio has no interval', () => {
  expect(() => ratioInterval([])).toThrow(RangeError);
});
