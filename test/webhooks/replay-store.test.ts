import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryReplayStore, WebhookError } from '../../packages/webhooks/src/index.ts';

describe('a replay store in memory', () => {
  test('has seen what was confirmed, for as long as it lives', () => {
    let now = 0;
    const store = createMemoryReplayStore({ timeToLive: 100, clock: () => now });
    expect(store.claim('a', 10)).toBe('claimed');
    store.confirm('a');
    now = 99;
    expect(store.claim('a', 10)).toBe('seen');
    now = 100;
    expect(store.claim('a', 10)).toBe('claimed');
  });

  test('keeps a claim until it is released or its lease is over', () => {
    let now = 0;
    const store = createMemoryReplayStore({ clock: () => now });
    expect([store.claim('a', 10), store.claim('a', 10)]).toEqual(['claimed', 'busy']);
    store.release('a');
    expect(store.claim('a', 10)).toBe('claimed');
    now = 10;
    expect(store.claim('a', 10)).toBe('claimed');
  });

  test('does not count as seen what was claimed and released', () => {
    const store = createMemoryReplayStore();
    expect(store.claim('a', 10)).toBe('claimed');
    store.release('a');
    expect(store.claim('a', 10)).toBe('claimed');
  });

  test('knows the newest, as many as it is told, in whichever order they come again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { maxLength: 40 }),
        (size, keys) => {
          const store = createMemoryReplayStore({ size });
          const newest: string[] = [];
          for (const key of keys) {
            const isKnown = newest.includes(key);
            expect(store.claim(key, 10)).toBe(isKnown ? 'seen' : 'claimed');
            if (isKnown) continue;
            store.confirm(key);
            newest.push(key);
            if (newest.length > size) newest.shift();
          }
        },
      ),
    );
  });

  test('remembers anew what it had forgotten, for as long as everything else', () => {
    let now = 0;
    const store = createMemoryReplayStore({ size: 2, timeToLive: 10, clock: () => now });
    store.confirm('a');
    now = 20;
    store.confirm('a');
    store.confirm('b');
    expect([store.claim('a', 1), store.claim('b', 1)]).toEqual(['seen', 'seen']);
    store.confirm('c');
    expect(['a', 'b', 'c'].map((key) => store.claim(key, 1))).toEqual(['claimed', 'seen', 'seen']);
  });

  test.each([{ size: 0 }, { size: 1.5 }, { timeToLive: 0 }, { timeToLive: Number.NaN }])(
    'is not made with %j',
    (options) => {
      expect(() => createMemoryReplayStore(options)).toThrow(WebhookError);
    },
  );
});
