import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createMemoryReplayStore,
  WebhookError,
} from '../../../../packages/runtime/webhooks/receiver.ts';

describe('a replay store in memory', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('follows a clock that a test has replaced since', () => {
    const store = createMemoryReplayStore({ timeToLiveMs: 100 });
    vi.useFakeTimers({ now: 0 });
    expect(store.claim('a', 10, 'one')).toBe('claimed');
    store.confirm('a', 'one');
    vi.setSystemTime(99);
    expect(store.claim('a', 10, 'one')).toBe('seen');
    vi.setSystemTime(100);
    expect(store.claim('a', 10, 'one')).toBe('claimed');
  });

  test('has seen what was confirmed, for as long as it lives', () => {
    let now = 0;
    const store = createMemoryReplayStore({ timeToLiveMs: 100, clock: () => now });
    expect(store.claim('a', 10, 'one')).toBe('claimed');
    store.confirm('a', 'one');
    now = 99;
    expect(store.claim('a', 10, 'one')).toBe('seen');
    now = 100;
    expect(store.claim('a', 10, 'one')).toBe('claimed');
  });

  test('keeps a claim until it is released or its lease is over', () => {
    let now = 0;
    const store = createMemoryReplayStore({ clock: () => now });
    expect([store.claim('a', 10, 'one'), store.claim('a', 10, 'one')]).toEqual(['claimed', 'busy']);
    store.release('a', 'one');
    expect(store.claim('a', 10, 'one')).toBe('claimed');
    now = 10;
    expect(store.claim('a', 10, 'one')).toBe('claimed');
  });

  test('does not count as seen what was claimed and released', () => {
    const store = createMemoryReplayStore();
    expect(store.claim('a', 10, 'one')).toBe('claimed');
    store.release('a', 'one');
    expect(store.claim('a', 10, 'one')).toBe('claimed');
  });

  test('knows the newest keys, at least `minKeys` and at most twice as many', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'), { maxLength: 60 }),
        (size, keys) => {
          const store = createMemoryReplayStore({ minKeys: size });
          const confirmed: string[] = [];
          for (const key of keys) {
            const state = store.claim(key, 10, 'one');
            if (confirmed.slice(-size).includes(key)) expect(state).toBe('seen');
            if (!confirmed.slice(-2 * size).includes(key)) expect(state).toBe('claimed');
            if (state === 'seen') continue;
            store.confirm(key, 'one');
            confirmed.push(key);
          }
        },
      ),
    );
  });

  test('leaves a claim to its owner', () => {
    let now = 0;
    const store = createMemoryReplayStore({ clock: () => now });
    expect(store.claim('a', 10, 'first')).toBe('claimed');
    now = 10;
    expect(store.claim('a', 10, 'second')).toBe('claimed');
    store.release('a', 'first');
    expect(store.claim('a', 10, 'third')).toBe('busy');
    store.confirm('a', 'first');
    expect(store.claim('a', 10, 'third')).toBe('busy');
    store.confirm('a', 'second');
    expect(store.claim('a', 10, 'third')).toBe('seen');
  });

  test('records what was done after a lease that no other delivery has claimed since', () => {
    let now = 0;
    const store = createMemoryReplayStore({ clock: () => now });
    expect(store.claim('a', 10, 'first')).toBe('claimed');
    now = 20;
    store.confirm('a', 'first');
    expect(store.claim('a', 10, 'second')).toBe('seen');
  });

  test('forgets claims whose lease is over', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // Flags are a part of the name of the folder of compiled code, which later tests of the process ask for.
    setFlagsFromString('--no-expose-gc');
    const megabyte = 2 ** 20;
    let now = 0;
    const store = createMemoryReplayStore({ clock: () => now });
    collect();
    const before = process.memoryUsage().heapUsed;
    for (; now < 100; now++)
      void store.claim(Buffer.alloc(megabyte, String(now)).toString('latin1'), 1, 'one');
    collect();
    expect((process.memoryUsage().heapUsed - before) / megabyte).toBeLessThan(50);
    expect(store.claim('a', 1, 'one')).toBe('claimed');
  });

  test('remembers anew what it had forgotten, for as long as everything else', () => {
    let now = 0;
    const store = createMemoryReplayStore({ minKeys: 2, timeToLiveMs: 10, clock: () => now });
    store.confirm('a', 'one');
    now = 20;
    store.confirm('a', 'one');
    store.confirm('b', 'one');
    expect([store.claim('a', 1, 'one'), store.claim('b', 1, 'one')]).toEqual(['seen', 'seen']);
  });

  test.each([
    { minKeys: 0 },
    { minKeys: 1.5 },
    { minKeys: '5' as never },
    { timeToLiveMs: 0 },
    { timeToLiveMs: Number.NaN },
    { timeToLiveMs: '5' as never },
  ])('is not made with %j', (options) => {
    expect(() => createMemoryReplayStore(options)).toThrow(WebhookError);
  });
});
