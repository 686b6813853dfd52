import {
  createWorker,
  type Claim,
  type InboxWorker,
  type KindShare,
  type WorkerOptions,
} from '@countersign/runtime/inbox';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { receipt, type OpenHarness, type StoreHarness } from './store-harness.ts';

/** Kinds that a store has to keep apart, and that an index may not have room for. */
const longKind = Array.from({ length: 200 }, (_, index) =>
  createHash('sha256').update(String(index)).digest('base64'),
).join('');
const unusualKinds = ["it's", 'a\\', 'a\0b', '', longKind, `${longKind}y`];

/** Tests what is limited by kind: claims of a store, and workers with the option `kinds`. */
export function describeKinds<Scope, Result>(name: string, open: OpenHarness<Scope, Result>): void {
  type Harness = StoreHarness<Scope, Result>;

  /** Stores events of kinds, each with a receipt. */
  async function receive({ store }: Harness, ...kinds: readonly (string | undefined)[]) {
    for (const kind of kinds) await store.receive(receipt(kind === undefined ? {} : { kind }));
  }

  /** Claims, gives back, and returns the kinds of the events in their order: upper case for failed ones. */
  async function kindsOf(
    { store }: Harness,
    request: {
      readonly maxEvents: number;
      readonly minRetries?: number;
      readonly maxRetries?: number;
      readonly interrupted?: 'none' | 'alone' | 'any';
      readonly kinds?: readonly KindShare[];
    },
  ): Promise<string> {
    const claims = await store.claim({ owner: 'worker', leaseMs: 20_000, ...request });
    await store.release(claims);
    return claims
      .map(({ event: { kind = '-', retryAt } }) =>
        retryAt === undefined ? kind : kind.toUpperCase(),
      )
      .toSorted()
      .join(' ');
  }

  const shareOf = (
    kind: string,
    maxEvents: number,
    minRetries = 0,
    maxRetries = maxEvents,
  ): KindShare => ({
    kind,
    maxEvents,
    minRetries,
    maxRetries,
  });

  /** Claims all events and lets them fail. They are due one after the other, and all of them afterwards. */
  async function failAll({ store, clock }: Harness): Promise<void> {
    const claims = await store.claim({ owner: 'worker', leaseMs: 20_000, maxEvents: 100 });
    for (const [index, held] of claims.entries())
      await store.fail(held, { error: 'broken', at: clock.now + index });
    clock.now += claims.length;
  }

  describe(`${name}: claims by kind`, () => {
    test('a kind has at most its share, and others are claimed behind it', async () => {
      await using harness = await open();
      await receive(harness, ...'aaaaaab'.split(''), undefined, 'c', 'b');
      const maxEvents = 5;
      expect(await kindsOf(harness, { maxEvents })).toBe('a a a a a');
      expect(await kindsOf(harness, { maxEvents, kinds: [shareOf('a', 2)] })).toBe('- a a b c');
      expect(await kindsOf(harness, { maxEvents, kinds: [shareOf('a', 0)] })).toBe('- b b c');
      const kinds = [shareOf('a', 1), shareOf('b', 0), shareOf('d', 3)];
      expect(await kindsOf(harness, { maxEvents, kinds })).toBe('- a c');
      expect(await kindsOf(harness, { maxEvents: 2, kinds: [shareOf('a', 1)] })).toBe('a b');
      expect(await kindsOf(harness, { maxEvents, kinds: [shareOf('c', 0)] })).toBe('a a a a a');
    });

    test('first and further attempts have their shares of a kind, and of all', async () => {
      await using harness = await open();
      await receive(harness, ...'aaaabb'.split(''));
      await failAll(harness);
      await receive(harness, ...'aaaab'.split(''));
      const maxEvents = 10;
      const claimed = async (...kinds: readonly KindShare[]): Promise<string> =>
        await kindsOf(harness, { maxEvents, minRetries: 0, maxRetries: 10, kinds });
      expect(await claimed(shareOf('a', 3, 0, 3))).toBe('B B a a a b');
      expect(await claimed(shareOf('a', 3, 1, 3))).toBe('A B B a a b');
      expect(await claimed(shareOf('a', 3, 9, 2))).toBe('A A B B a b');
      expect(await claimed(shareOf('a', 6, 0, 6))).toBe('A A B B a a a a b');
      expect(await claimed(shareOf('a', 6, 0, 1))).toBe('A B B a a a a b');
      expect(await claimed(shareOf('a', 0, 0, 0))).toBe('B B b');
      // What all events have at most applies as well: the failed events that are due for longest.
      const kinds = [shareOf('b', 1, 1, 1)];
      const share = { maxEvents: 4, minRetries: 1, maxRetries: 2, kinds };
      expect(await kindsOf(harness, share)).toBe('A a a a');
      expect(await kindsOf(harness, { ...share, maxRetries: 0 })).toBe('a a a a');
      expect(await kindsOf(harness, { ...share, maxEvents: 10 })).toBe('A A a a a a');
    });

    test('a share of a kind without events changes no claim', async () => {
      await using harness = await open();
      await receive(harness, ...'abcabc'.split(''), undefined);
      await failAll(harness);
      await receive(harness, ...'cabbbbca'.split(''), undefined);
      for (const maxEvents of [1, 2, 5, 8, 20])
        for (const minRetries of [0, 1, 4])
          for (const maxRetries of [1, 4, 20]) {
            const request = { maxEvents, minRetries, maxRetries };
            const absent = [shareOf('absent', 0)];
            expect([request, await kindsOf(harness, { ...request, kinds: absent })]).toEqual([
              request,
              await kindsOf(harness, request),
            ]);
          }
    });

    test('an ordered key waits for its first event, also where its kind is full', async () => {
      await using harness = await open();
      const { store } = harness;
      for (const event of [
        { kind: 'full', orderKey: 'a' },
        { kind: 'other', orderKey: 'a' },
        { kind: 'next', orderKey: 'b' },
        { kind: 'full', orderKey: 'b' },
      ])
        await store.receive(receipt(event));
      const kinds = [shareOf('full', 0)];
      const request = { owner: 'worker', leaseMs: 20_000, maxEvents: 10 };
      const [next, ...more] = await store.claim({ ...request, kinds });
      expect(more).toEqual([]);
      if (next === undefined) throw new Error('expected a claim');
      expect(next.event).toMatchObject({ kind: 'next', orderKey: 'b' });
      await store.complete(next, harness.none);
      expect(await store.claim({ ...request, kinds })).toEqual([]);
      // The key that a dead letter leaves continues with its next event, of another kind.
      const [dead] = await store.claim({ ...request, kinds: [shareOf('full', 1)] });
      if (dead === undefined) throw new Error('expected a claim');
      await store.bury(dead, { error: 'broken', afterDeadLetter: 'skip' });
      expect(await kindsOf(harness, { maxEvents: 10, kinds })).toBe('other');
    });

    test('an interrupted event runs alone, whatever its kind', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await receive(harness, 'a');
      await store.claim({ owner: 'killed', leaseMs: 20_000, maxEvents: 1 });
      clock.now += 30_001;
      await receive(harness, 'a', 'b');
      const request = { maxEvents: 10, kinds: [shareOf('a', 2)] };
      expect(await kindsOf(harness, { ...request, interrupted: 'none' })).toBe('a b');
      const [only, ...furtherClaims] = await store.claim({
        owner: 'worker',
        leaseMs: 20_000,
        interrupted: 'alone',
        ...request,
      });
      expect([only?.event.interruptionsInRow, furtherClaims]).toEqual([1, []]);
      expect(await kindsOf(harness, { ...request, interrupted: 'alone' })).toBe('a b');
    });

    test('claims at the same time have different events, and as many as their shares permit', async () => {
      await using harness = await open();
      const stores = [harness.store, harness.another(), harness.another()];
      await receive(harness, ...'aaaaaaaaabbbbbb'.split(''));
      const claims = await Promise.all(
        stores.map((store) =>
          store.claim({
            owner: 'worker',
            leaseMs: 20_000,
            maxEvents: 5,
            kinds: [shareOf('a', 3)],
          }),
        ),
      );
      expect(
        claims.map((held) =>
          held
            .map(({ event }) => event.kind ?? '')
            .toSorted((a, b) => a.localeCompare(b))
            .join(''),
        ),
      ).toEqual(['aaabb', 'aaabb', 'aaabb']);
      expect(new Set(claims.flat().map(({ event }) => event.id)).size).toBe(15);
    });

    test('failed events are due after the clock is set back', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await receive(harness, 'a', 'b');
      const request = { owner: 'worker', leaseMs: 20_000, maxEvents: 10 };
      for (const held of await store.claim(request))
        await store.fail(held, { error: 'broken', at: clock.now + 60_000 });
      const kinds = [shareOf('a', 1)];
      expect(await store.claim({ ...request, kinds })).toEqual([]);
      clock.now -= 86_400_000;
      expect(await kindsOf(harness, { maxEvents: 10, kinds })).toBe('A B');
    });

    test('unusual names are different kinds', async () => {
      await using harness = await open();
      const { store } = harness;
      await receive(harness, undefined, ...unusualKinds);
      for (const kind of unusualKinds) {
        const request = { owner: 'worker', leaseMs: 20_000, maxEvents: 10 };
        const claims = await store.claim({ ...request, kinds: [shareOf(kind, 0)] });
        await store.release(claims);
        const claimed = new Set(claims.map(({ event }) => event.kind));
        expect(claimed).toEqual(
          new Set([undefined, ...unusualKinds.filter((other) => other !== kind)]),
        );
      }
    });
  });

  /** What a worker does until all events are finished. */
  interface Running extends AsyncDisposable {
    readonly worker: InboxWorker;
    /** The most handlers of each kind that ran at the same time. */
    readonly most: ReadonlyMap<string | undefined, number>;
  }

  /** Starts a worker that counts its handlers. */
  function start(
    { store, clock, effect }: Harness,
    options: Pick<WorkerOptions<Scope, Result>, 'kinds'> & Partial<WorkerOptions<Scope, Result>>,
    handle: (claim: Claim['event'], context: { readonly attempt: number }) => unknown = () =>
      undefined,
  ): Running {
    const most = new Map<string | undefined, number>();
    const running = new Map<string | undefined, number>();
    const add = (kind: string | undefined, difference: number): void => {
      const now = (running.get(kind) ?? 0) + difference;
      running.set(kind, now);
      most.set(kind, Math.max(now, most.get(kind) ?? 0));
    };
    const worker = createWorker<Scope, Result>({
      store,
      clock: () => clock.now,
      pollIntervalMs: 5,
      retry: { firstDelayMs: 0, attempts: 3 },
      handle: async (event, context) => {
        add(event.kind, 1);
        try {
          const result = await effect(event.kind ?? '-')(context);
          await handle(event, context);
          return result;
        } finally {
          add(event.kind, -1);
        }
      },
      onEvent: () => undefined,
      onDeadLetter: () => undefined,
      ...options,
    });
    // A test that fails must not leave a handler that holds a connection.
    return { worker, most, [Symbol.asyncDispose]: () => worker.close({ graceMs: 0 }) };
  }

  const untilDone = async ({ store }: Harness, done: number): Promise<void> => {
    await expect
      .poll(async () => (await store.stats()).byState.done, { timeout: 20_000, interval: 10 })
      .toBe(done);
  };

  describe(`${name}: workers with limits by kind`, () => {
    test('a kind has at most its handlers, and does not stop others', async () => {
      await using harness = await open();
      const free = Promise.withResolvers<void>();
      let quick = 0;
      await receive(harness, ...Array.from({ length: 20 }, () => 'slow'));
      await receive(harness, ...Array.from({ length: 12 }, () => 'quick'));
      await using running = start(
        harness,
        { concurrency: 6, kinds: { slow: { concurrency: 2 } } },
        async ({ kind }) => {
          if (kind === 'slow') await free.promise;
          else quick += 1;
          // Slow events continue after all others, which were stored later.
          if (quick === 12) free.resolve();
        },
      );
      await untilDone(harness, 32);
      await running.worker.close();
      expect(running.most.get('slow')).toBe(2);
      expect((await harness.effects()).toSorted()).toEqual([
        ...Array.from({ length: 12 }, () => 'quick'),
        ...Array.from({ length: 20 }, () => 'slow'),
      ]);
    });

    test.each([1, 2, 4])(
      'failed events of a kind leave room for its first attempts, with %i handlers',
      async (concurrency) => {
        await using harness = await open();
        await receive(harness, ...Array.from({ length: 10 }, () => 'failing'));
        await failAll(harness);
        await receive(harness, 'failing', 'failing', 'failing');
        let first = 0;
        let further = 0;
        await using running = start(
          harness,
          { kinds: { failing: { concurrency, retry: { attempts: 1000 } } } },
          async (_event, { attempt }) => {
            if (attempt > 1) {
              further += 1;
              throw new Error('broken');
            }
            first += 1;
          },
        );
        await expect.poll(() => first, { timeout: 20_000, interval: 5 }).toBe(3);
        await running.worker.close();
        expect(running.most.get('failing')).toBeLessThanOrEqual(concurrency);
        // They do not wait for each other: with one handler, attempts alternate.
        expect(further).toBeLessThan(100);
      },
    );

    test('the limits of two workers are those of each', async () => {
      await using harness = await open();
      await receive(harness, ...Array.from({ length: 12 }, () => 'slow'));
      const both = Promise.withResolvers<void>();
      let running = 0;
      const handle = async (): Promise<void> => {
        running += 1;
        if (running === 3) both.resolve();
        await both.promise;
        running -= 1;
      };
      await using first = start(harness, { kinds: { slow: { concurrency: 1 } } }, handle);
      await using second = start(
        { ...harness, store: harness.another() },
        { kinds: { slow: { concurrency: 2 }, unknown: { concurrency: 1 } } },
        handle,
      );
      await untilDone(harness, 12);
      await Promise.all([first.worker.close(), second.worker.close()]);
      expect([first.most.get('slow'), second.most.get('slow')]).toEqual([1, 2]);
    });

    test('a stop without grace gives the events of a full kind back, without an attempt', async () => {
      await using harness = await open();
      await receive(harness, 'slow', 'slow', 'quick');
      await using first = start(
        harness,
        { concurrency: 3, kinds: { slow: { concurrency: 1 } } },
        async ({ kind }) => {
          if (kind === 'slow') await new Promise(() => undefined);
        },
      );
      await untilDone(harness, 1);
      await expect.poll(async () => (await harness.store.stats()).byState.working).toBe(1);
      await first.worker.close({ graceMs: 0 });
      const slow = { kind: 'slow', state: 'ready', attempts: 0, interruptions: 0 };
      expect((await harness.store.list({ kind: 'slow' })).events).toMatchObject([slow, slow]);
      await using next = start(harness, { kinds: { slow: { concurrency: 1 } } });
      await untilDone(harness, 3);
      await next.worker.close();
      expect(await harness.effects()).toEqual(['quick', 'slow', 'slow']);
    });

    test('events that a worker identifies have the limits of their kinds', async () => {
      await using harness = await open();
      const { effect } = harness;
      await receive(harness, undefined, undefined);
      let running = 0;
      let most = 0;
      await using late = start(harness, {
        kinds: { late: { concurrency: 1, retry: { attempts: 1 } } },
        handle: async ({ kind }, context) => {
          if (kind === undefined) {
            const events = [0, 1, 2].map((position) => ({ position, kind: 'late' }));
            return { replaceBy: { count: 3, events } };
          }
          running += 1;
          most = Math.max(most, running);
          await delay(5);
          running -= 1;
          return await effect(kind)(context);
        },
      });
      await untilDone(harness, 6);
      await late.worker.close();
      expect(most).toBe(1);
      expect(await harness.effects()).toEqual(Array.from({ length: 6 }, () => 'late'));
    });

    test('attempts have the time of their kind, unless they are extended', async () => {
      await using harness = await open();
      const { store } = harness;
      await receive(harness, 'short', 'long', 'extended');
      await using running = start(harness, {
        attemptTimeoutMs: 60_000,
        retry: { attempts: 1 },
        kinds: { short: { attemptTimeoutMs: 150 }, extended: { attemptTimeoutMs: 150 } },
        handle: async ({ kind = '' }, context) => {
          if (kind === 'extended') context.extendTimeout(60_000);
          await delay(400);
          return await harness.effect(kind)(context);
        },
      });
      await untilDone(harness, 2);
      await expect.poll(async () => (await store.stats()).byState.dead).toBe(1);
      await running.worker.close();
      expect((await store.list()).events).toMatchObject([
        { kind: 'short', state: 'dead', error: 'TimeLimitError' },
        { kind: 'long', state: 'done' },
        { kind: 'extended', state: 'done' },
      ]);
    });

    test('a kind has its own delays and attempts, with those of the worker as defaults', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await receive(harness, 'often', 'later', 'unlimited', 'postponed');
      const begin = clock.now;
      await using running = start(harness, {
        retry: { firstDelayMs: 1000, maxDelayMs: 3000, factor: 3, jitter: 0, attempts: 2 },
        kinds: {
          often: { retry: { attempts: 4, maxDelayMs: 5000 } },
          later: { retry: { firstDelayMs: 2000 } },
          postponed: { retry: { attempts: 1 } },
          unlimited: {},
        },
        handle: ({ kind }, { retryAt }) => {
          if (kind === 'postponed') retryAt(new Date(clock.now + 86_400_000), 'The bank is closed');
          throw new Error('broken');
        },
      });
      const seen: string[][] = [];
      const look = async (attempts: number): Promise<void> => {
        await expect
          .poll(async () => (await store.list()).events[0]?.attempts, { timeout: 10_000 })
          .toBe(attempts);
        await expect.poll(async () => (await store.stats()).byState.working).toBe(0);
        const { events } = await store.list();
        seen.push(
          events.map(
            ({ kind, state, retryAt }) =>
              `${kind} ${retryAt === undefined ? state : retryAt - begin}`,
          ),
        );
      };
      await expect.poll(async () => (await store.stats()).byState.dead).toBe(1);
      await look(1);
      clock.now = begin + 2000;
      await expect.poll(async () => (await store.stats()).byState.dead).toBe(3);
      await look(2);
      clock.now = begin + 5000;
      await look(3);
      clock.now = begin + 10_000;
      await look(4);
      await running.worker.close();
      expect(seen).toEqual([
        ['often 1000', 'later 2000', 'unlimited 1000', 'postponed dead'],
        ['often 5000', 'later dead', 'unlimited dead', 'postponed dead'],
        ['often 10000', 'later dead', 'unlimited dead', 'postponed dead'],
        ['often dead', 'later dead', 'unlimited dead', 'postponed dead'],
      ]);
    });
  });
}
