import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Clock, Duration } from '../../../packages/simulator/src/clock.ts';
import { createClock, toMilliseconds } from '../../../packages/simulator/src/virtual-clock.ts';

function manual(): { readonly clock: Clock; readonly start: number } {
  const clock = createClock(true);
  onTestFinished(() => clock.close());
  return { clock, start: clock.now() };
}

describe('a manual clock', () => {
  it('runs what is due in the order of time, then of scheduling', async () => {
    const { clock, start } = manual();
    const ran: string[] = [];
    for (const [name, at] of [
      ['c', 30],
      ['a', 10],
      ['b', 20],
      ['d', 30],
      ['late', 101],
    ] as const)
      clock.schedule(start + at, () => ran.push(`${name} ${clock.now() - start}`));
    await clock.advance(100);
    expect(ran).toEqual(['a 10', 'b 20', 'c 30', 'd 30']);
    expect(clock.now() - start).toBe(100);
    await clock.advance(1);
    expect(ran.at(-1)).toBe('late 101');
  });

  it('keeps the order of a thousand actions', async () => {
    const { clock, start } = manual();
    const ran: number[] = [];
    for (let index = 0; index < 1_000; index += 1) {
      const at = (index * 7_919) % 1_009;
      const cancel = clock.schedule(start + at, () => ran.push(at));
      if (index % 3 === 0) cancel();
    }
    await clock.advance('2s');
    expect(ran).toHaveLength(666);
    expect(ran).toEqual(ran.toSorted((left, right) => left - right));
  });

  it('waits for each action, and runs what actions schedule', async () => {
    const { clock, start } = manual();
    const ran: string[] = [];
    clock.schedule(start + 1, async () => {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      ran.push('first');
      clock.schedule(clock.now() + 5, () => ran.push('third'));
      clock.schedule(start - 5, () => ran.push('second'));
      clock.schedule(clock.now() + 500, () => ran.push('never'));
    });
    await clock.advance('10ms');
    expect(ran).toEqual(['first', 'second', 'third']);
    expect(clock.now() - start).toBe(10);
  });

  it('does not run what was cancelled, before and during `advance`', async () => {
    const { clock, start } = manual();
    const ran: string[] = [];
    clock.schedule(start + 1, () => ran.push('cancelled'))();
    const cancel = clock.schedule(start + 3, () => ran.push('cancelled later'));
    clock.schedule(start + 2, cancel);
    await clock.advance(10);
    expect(ran).toEqual([]);
  });

  it('runs the other actions after one failed, and rejects then', async () => {
    const { clock, start } = manual();
    const ran: string[] = [];
    clock.schedule(start + 1, () => {
      throw new Error('one');
    });
    clock.schedule(start + 2, () => ran.push('two'));
    await expect(clock.advance(10)).rejects.toThrow('one');
    expect(ran).toEqual(['two']);
    expect(clock.now() - start).toBe(10);
    for (const name of ['three', 'four'])
      clock.schedule(start + 20, () => Promise.reject(new Error(name)));
    await expect(clock.advance(10)).rejects.toMatchObject({
      errors: [{ message: 'three' }, { message: 'four' }],
    });
  });

  it('adds up calls at the same time, from actions too', async () => {
    const { clock, start } = manual();
    clock.schedule(start + 2, () => clock.advance(5));
    await Promise.all([clock.advance(10), clock.advance(20)]);
    expect(clock.now() - start).toBe(35);
  });

  it('runs nothing after it was closed', async () => {
    const { clock, start } = manual();
    const ran: string[] = [];
    clock.schedule(start + 1, () => ran.push('one'));
    clock.close();
    clock.schedule(start + 1, () => ran.push('two'));
    await clock.advance(5);
    expect(ran).toEqual([]);
  });
});

describe('a clock that runs', () => {
  it('runs actions in time and moves forward', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const clock = createClock();
    const start = clock.now();
    const ran: string[] = [];
    clock.schedule(start + 1_000, () => ran.push('one'));
    const far = clock.schedule(start + 2 ** 33, () => ran.push('far'));
    vi.advanceTimersByTime(999);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual(['one']);
    clock.schedule(clock.now() + 60_000, () => ran.push('two'));
    await clock.advance('59s');
    expect(ran).toEqual(['one']);
    expect(clock.now() - start).toBe(60_000);
    vi.advanceTimersByTime(1_000);
    expect(ran).toEqual(['one', 'two']);
    far();
    expect(vi.getTimerCount()).toBe(0);
    clock.schedule(clock.now() + 2 ** 33, () => ran.push('three'));
    vi.advanceTimersByTime(2 ** 33);
    expect(ran).toEqual(['one', 'two', 'three']);
    clock.schedule(clock.now() + 1, () => ran.push('four'));
    clock.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('runs an action that schedules itself for now without blocking', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const clock = createClock();
    let count = 0;
    const again = (): void => {
      count += 1;
      if (count < 1_000_000) clock.schedule(clock.now(), again);
    };
    clock.schedule(clock.now(), again);
    vi.advanceTimersByTime(5);
    clock.close();
    expect(count).toBeLessThan(100);
  });
});

it('does not pass the year 9999, after which times cannot be written', async () => {
  const clock = createClock(true);
  for (const by of ['999999999d', 8.64e15, 1e300] as const)
    await expect(clock.advance(by)).rejects.toMatchObject({ code: 'invalid-option' });
  await clock.advance('2000000d');
  await expect(clock.advance('2000000d')).rejects.toMatchObject({ code: 'invalid-option' });
  expect(new Date(clock.now()).toISOString()).toMatch(/^[4-9]\d{3}-/u);
  await clock.advance('1s');
});

describe('toMilliseconds', () => {
  it.each<[Duration, number]>([
    [0, 0],
    [1.5, 1.5],
    ['250ms', 250],
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
  ])('reads %s', (duration, expected) => expect(toMilliseconds(duration)).toBe(expected));

  it.each([-1, Number.NaN, Infinity, '', 's', '5', '1 h', '1h30m', '-1s', '1e3s'])(
    'refuses %s',
    (duration) =>
      expect(() => toMilliseconds(duration as Duration)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      ),
  );
});
