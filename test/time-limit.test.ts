import { describe, expect, it } from 'vitest';
import { createTimeLimit, TimeLimitError } from '../generator/time-limit.ts';

const forEver = (): never => {
  for (;;);
};

describe('a time limit', () => {
  it('hands on what a task answers and what it throws', () => {
    const limit = createTimeLimit();
    expect(limit.run(() => 7)).toBe(7);
    const failure = new RangeError('too deep');
    expect(() =>
      limit.run(() => {
        throw failure;
      }),
    ).toThrow(failure);
  });

  it('stops tasks that never end, however many, and runs the next one', () => {
    const limit = createTimeLimit();
    for (let count = 0; count < 20; count += 1) {
      expect(() => limit.run(forEver)).toThrow(TimeLimitError);
    }
    expect(() => limit.run(() => /^(a|a)*$/.test(`${'a'.repeat(60)}!`))).toThrow(TimeLimitError);
    expect(limit.run(() => 7)).toBe(7);
  });
});
