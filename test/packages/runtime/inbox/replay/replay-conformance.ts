import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createMemoryReplayStore,
  type ReplayStore,
} from '../../../../../packages/runtime/webhooks/receiver.ts';

/** A replay store under test, without any keys. */
export interface ReplayHarness extends AsyncDisposable {
  /** Opens the store once more, as another process does. */
  readonly open: () => ReplayStore;
  /** Lets the time of the store pass. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Closes everything that is open. Missing where a store does not outlive its process. */
  readonly closeAll?: () => Promise<void>;
}

/** Milliseconds that no test takes: the clock of a real server also advances by itself. */
const lease = 600_000;
const timeToLiveMs = 6_000_000;

/** Runs the tests that every replay store must pass. */
export function testReplayStore(
  name: string,
  create: (options: { readonly timeToLiveMs: number }) => Promise<ReplayHarness>,
  options: { readonly skip?: boolean; readonly runs?: number } = {},
): void {
  const start = async (): Promise<ReplayHarness> => {
    const harness = await create({ timeToLiveMs });
    onTestFinished(() => harness[Symbol.asyncDispose]());
    return harness;
  };

  describe.skipIf(options.skip === true)(name, () => {
    test('answers claimed, busy and seen', async () => {
      const store = (await start()).open();
      expect(await store.claim('a', lease, 'one')).toBe('claimed');
      expect(await store.claim('a', lease, 'two')).toBe('busy');
      expect(await store.claim('b', lease, 'two')).toBe('claimed');
      await store.confirm('a', 'one');
      expect(await store.claim('a', lease, 'two')).toBe('seen');
      expect(await store.claim('a', lease, 'one')).toBe('seen');
      expect(await store.claim('b', lease, 'one')).toBe('busy');
      await store.release('b', 'two');
      expect(await store.claim('b', lease, 'one')).toBe('claimed');
    });

    test('recognizes what an earlier version stored, and claims none of it', async () => {
      const harness = await start();
      // Nothing that a process keeps in its memory is from an earlier version.
      if (harness.closeAll === undefined) {
        expect(harness.open()).toBeDefined();
        return;
      }
      const store = harness.open();
      await store.claim('seen', lease, 'old');
      await store.confirm('seen', 'old');
      await store.claim('held', lease, 'old');
      expect(await store.claim('shop seen', lease, 'new', 'seen')).toBe('seen');
      expect(await store.claim('bank seen', lease, 'new', 'seen')).toBe('seen');
      expect(await store.claim('shop held', lease, 'new', 'held')).toBe('busy');
      expect(await store.claim('shop free', lease, 'new', 'free')).toBe('claimed');
      expect(await store.claim('bank free', lease, 'other', 'free')).toBe('claimed');
      expect(await store.claim('shop free', lease, 'other', 'free')).toBe('busy');
      await store.confirm('shop free', 'new');
      expect(await store.claim('shop free', lease, 'other', 'free')).toBe('seen');
      expect(await store.claim('free', lease, 'old')).toBe('claimed');
      // Nothing was claimed where an earlier version holds the key.
      await store.release('held', 'old');
      expect(await store.claim('shop held', lease, 'new', 'held')).toBe('claimed');
      await harness.advance(timeToLiveMs);
      expect(await store.claim('shop seen', lease, 'new', 'seen')).toBe('claimed');
    });

    test('keeps a claim for its lease', async () => {
      const harness = await start();
      const store = harness.open();
      expect(await store.claim('a', lease, 'one')).toBe('claimed');
      await harness.advance(lease / 2);
      expect(await store.claim('a', lease, 'two')).toBe('busy');
      await harness.advance(lease / 2);
      expect(await store.claim('a', lease, 'two')).toBe('claimed');
      await harness.advance(lease / 2);
      expect(await store.claim('a', lease, 'three')).toBe('busy');
    });

    test('accepts a lease that is not a whole number', async () => {
      const store = (await start()).open();
      expect(await store.claim('a', lease + 0.5, 'one')).toBe('claimed');
      expect(await store.claim('a', lease, 'two')).toBe('busy');
    });

    test('has seen what was confirmed for as long as it lives', async () => {
      const harness = await start();
      const store = harness.open();
      await store.claim('a', lease, 'one');
      await store.confirm('a', 'one');
      await harness.advance(timeToLiveMs / 2);
      expect(await store.claim('a', lease, 'two')).toBe('seen');
      await harness.advance(timeToLiveMs / 2);
      expect(await store.claim('a', lease, 'two')).toBe('claimed');
      expect(await store.claim('a', lease, 'three')).toBe('busy');
    });

    test('leaves a claim to its owner', async () => {
      const harness = await start();
      const store = harness.open();
      expect(await store.claim('a', lease, 'first')).toBe('claimed');
      await harness.advance(lease);
      expect(await store.claim('a', lease, 'second')).toBe('claimed');
      await store.release('a', 'first');
      expect(await store.claim('a', lease, 'third')).toBe('busy');
      await store.confirm('a', 'first');
      expect(await store.claim('a', lease, 'third')).toBe('busy');
      await store.confirm('a', 'second');
      expect(await store.claim('a', lease, 'third')).toBe('seen');
    });

    test('keeps what was confirmed, even if another delivery confirms or releases it afterwards', async () => {
      const harness = await start();
      const store = harness.open();
      await store.claim('a', lease, 'first');
      await harness.advance(lease);
      await store.claim('a', lease, 'second');
      await store.confirm('a', 'second');
      await store.release('a', 'second');
      await store.release('a', 'first');
      await store.confirm('a', 'first');
      expect(await store.claim('a', lease, 'third')).toBe('seen');
    });

    test('records what was done after a lease that no other delivery has claimed since', async () => {
      const harness = await start();
      const store = harness.open();
      await store.claim('a', lease, 'first');
      await harness.advance(2 * lease);
      await store.confirm('a', 'first');
      expect(await store.claim('a', lease, 'second')).toBe('seen');
      await store.confirm('never claimed', 'first');
      expect(await store.claim('never claimed', lease, 'second')).toBe('seen');
    });

    test('releases nothing that it does not know', async () => {
      const store = (await start()).open();
      await store.release('a', 'one');
      expect(await store.claim('a', lease, 'one')).toBe('claimed');
    });

    test.each([
      "'; DROP TABLE countersign_replay; --",
      '"',
      '%',
      '\\',
      'é\u{1F600}',
      'x'.repeat(2_000),
    ])('tells keys and owners apart: %j', async (text) => {
      const store = (await start()).open();
      expect(await store.claim(text, lease, text)).toBe('claimed');
      expect(await store.claim(text, lease, `${text}2`)).toBe('busy');
      expect(await store.claim(`${text}2`, lease, 'confirmed')).toBe('claimed');
      expect(await store.claim(`${text}2`, lease, text)).toBe('busy');
      await store.confirm(text, text);
      expect(await store.claim(text, lease, 'confirmed')).toBe('seen');
    });

    test('gives a key to one of 50 that claim it at once', async () => {
      const harness = await start();
      const stores = Array.from({ length: 5 }, () => harness.open());
      const claimAll = async (round: string): Promise<readonly string[]> =>
        await Promise.all(
          Array.from({ length: 50 }, async (_, index) => {
            const store = stores[index % stores.length];
            return (await store?.claim('a', lease, `${round} ${index}`)) ?? 'no store';
          }),
        );
      const busyStates = Array<string>(49).fill('busy');
      const first = await claimAll('first');
      expect(first.toSorted()).toEqual([...busyStates, 'claimed']);
      expect(await claimAll('second')).toEqual([...busyStates, 'busy']);
      // A lease that is over goes to one of them as well.
      await harness.advance(lease);
      const third = await claimAll('third');
      expect(third.toSorted()).toEqual([...busyStates, 'claimed']);
      await stores[0]?.confirm('a', `third ${third.indexOf('claimed')}`);
      expect(new Set(await claimAll('fourth'))).toEqual(new Set(['seen']));
      await harness.advance(timeToLiveMs);
      expect((await claimAll('fifth')).toSorted()).toEqual([...busyStates, 'claimed']);
    });

    test('gives every result that the store in memory gives', async () => {
      const harness = await start();
      let run = 0;
      const step = fc.record({
        call: fc.constantFrom('claim', 'claim', 'confirm', 'release', 'advance'),
        key: fc.constantFrom('a', 'b'),
        owner: fc.nat({ max: 3 }),
        /** A claim always comes from a new delivery; what settles a claim, from one of the last. */
        steps: fc.integer({ min: 1, max: 12 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          run += 1;
          const store = harness.open();
          let now = 0;
          const model = createMemoryReplayStore({ timeToLiveMs, clock: () => now });
          const owners = ['unknown', 'unknown', 'unknown', 'unknown'];
          for (const { call, key: name, owner: back, steps: units } of steps) {
            const key = `${run} ${name}`;
            const owner = owners.at(-1 - back) ?? '';
            if (call === 'advance') {
              // Never the exact end of a lease or a life: the clock of a real server advances by itself.
              now += units * 1_000_000;
              await harness.advance(units * 1_000_000);
            } else if (call === 'claim') {
              owners.push(`${run} ${owners.length}`);
              const claim = [key, units * 700_000, owners.at(-1) ?? ''] as const;
              expect(await store.claim(...claim)).toBe(model.claim(...claim));
            } else {
              await Promise.all([store[call](key, owner), model[call](key, owner)]);
            }
          }
        }),
        { numRuns: options.runs ?? 30, endOnFailure: true },
      );
    });

    // A client can repeat a command whose answer was lost. The store in memory loses none.
    test.runIf(name !== 'memory')('claims again for the same owner, with a new lease', async () => {
      const harness = await start();
      const store = harness.open();
      expect(await store.claim('a', lease, 'one')).toBe('claimed');
      await harness.advance(lease / 2);
      expect(await store.claim('a', lease, 'one')).toBe('claimed');
      await harness.advance(lease / 2);
      expect(await store.claim('a', lease, 'two')).toBe('busy');
    });

    test.runIf(name !== 'memory')(
      'has what was confirmed and claimed after a restart',
      async () => {
        const harness = await start();
        const before = harness.open();
        await before.claim('a', lease, 'one');
        await before.confirm('a', 'one');
        await before.claim('b', lease, 'one');
        if (harness.closeAll === undefined)
          throw new Error('A store that is shared can be closed.');
        await harness.closeAll();
        const after = harness.open();
        expect(await after.claim('a', lease, 'two')).toBe('seen');
        expect(await after.claim('b', lease, 'two')).toBe('busy');
        await harness.advance(lease);
        expect(await after.claim('b', lease, 'two')).toBe('claimed');
      },
    );
  });
}
