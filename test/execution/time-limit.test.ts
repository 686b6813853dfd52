import { Script } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TimeLimit, TimeLimitError } from '../../generator/execution/time-limit.ts';

const forEver = (): never => {
  for (;;);
};

afterEach(() => vi.restoreAllMocks());

/**
 * Notes the milliseconds that each task is given, lets the clock say that it took all of them, and really stops it
 * after `real` milliseconds: what is asserted does not depend on how busy the machine is.
 */
function controlTime(): { readonly timeoutsMs: number[]; real: number } {
  const control = { timeoutsMs: [] as number[], real: 20 };
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const run = Script.prototype.runInContext;
  vi.spyOn(Script.prototype, 'runInContext').mockImplementation(function (
    this: Script,
    context,
    options = {},
  ): unknown {
    const { timeout = 0 } = typeof options === 'string' ? {} : options;
    control.timeoutsMs.push(timeout);
    now += timeout;
    return run.call(this, context, { timeout: control.real }) as unknown;
  });
  return control;
}

describe('a time limit', () => {
  it('hands on what a task answers and what it throws', () => {
    const control = controlTime();
    control.real = 60_000;
    const limit = new TimeLimit();
    expect(limit.run(() => 7)).toBe(7);
    const failure = new RangeError('too deep');
    expect(() =>
      limit.run(() => {
        throw failure;
      }),
    ).toThrow(failure);
  });

  it('stops tasks that never end, however many, and runs the next one', () => {
    const control = controlTime();
    const limit = new TimeLimit();
    for (let count = 0; count < 20; count += 1)
      expect(() => limit.run(forEver)).toThrow(TimeLimitError);
    expect(() => limit.run(() => /^(a|a)*$/.test(`${'a'.repeat(60)}!`))).toThrow(TimeLimitError);
    control.real = 60_000;
    expect(limit.run(() => 7)).toBe(7);
  });

  it('gives a second to each task and five to all of them, and little to each when these are spent', () => {
    const { timeoutsMs } = controlTime();
    const limit = new TimeLimit();
    for (let count = 0; count < 8; count += 1)
      expect(() => limit.run(forEver)).toThrow(TimeLimitError);
    expect(timeoutsMs).toEqual([1000, 1000, 1000, 1000, 1000, 20, 20, 20]);
  });
});
