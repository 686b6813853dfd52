import {
  createWorker,
  InboxError,
  type AttemptResult,
  type FailedEvent,
  type HandlerContext,
  type InboxWorker,
  type WorkerOptions,
} from '@countersign/runtime/inbox';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { claim, receipt, type OpenHarness, type StoreHarness } from './store-harness.ts';

const dayMs = 86_400_000;

/** What a worker did with two events of one key, `first` and `second`. */
interface Work {
  readonly worker: InboxWorker;
  /** The attempts of `first` in their order: number and time. */
  readonly attempts: readonly (readonly [attempt: number, time: number])[];
  readonly outcomes: readonly AttemptResult['outcome'][];
  readonly failures: readonly FailedEvent[];
  readonly dead: readonly FailedEvent[];
}

/** Tests what a handler can decide about its event. Times are those of the clock of the harness. */
export function describeDecisions<Scope, Result>(
  name: string,
  open: OpenHarness<Scope, Result>,
): void {
  /** Handles two events of one key. Both write a row of effect; then `decide` runs for the first one. */
  async function work(
    { store, clock, effect }: StoreHarness<Scope, Result>,
    decide: (context: HandlerContext) => unknown,
    options: Partial<WorkerOptions<Scope, Result>> = {},
  ): Promise<Work> {
    const attempts: [number, number][] = [];
    const outcomes: AttemptResult['outcome'][] = [];
    const failures: FailedEvent[] = [];
    const dead: FailedEvent[] = [];
    await store.receive(receipt({ kind: 'first', orderKey: 'a' }));
    await store.receive(receipt({ kind: 'second', orderKey: 'a' }));
    const worker = createWorker<Scope, Result>({
      store,
      clock: () => clock.now,
      pollIntervalMs: 5,
      retry: { firstDelayMs: 0 },
      handle: async ({ kind = '' }, context) => {
        const result = await effect(kind)(context);
        if (kind === 'first') {
          attempts.push([context.attempt, clock.now]);
          await decide(context);
        }
        return result;
      },
      telemetry: {
        receive: async (delivery, receive) => await receive(delivery),
        attempt: async (_event, _attempt, run) => {
          const result = await run();
          outcomes.push(result.outcome);
          return result;
        },
        observe: () => () => undefined,
      },
      onEvent: ({ outcome, event, error }) => {
        if (outcome === 'failed' || outcome === 'postponed') failures.push({ event, error });
      },
      onDeadLetter: (letter) => dead.push(letter),
      ...options,
    });
    return { worker, attempts, outcomes, failures, dead };
  }

  /** Waits until the first event has a state. Returns it and the second one. */
  async function untilFirst(
    { store }: StoreHarness<Scope, Result>,
    state: 'retry' | 'dead' | 'done',
  ): Promise<readonly unknown[]> {
    const list = async (): Promise<readonly { readonly state: string }[]> =>
      (await store.list()).events;
    await expect.poll(async () => (await list())[0]?.state, { timeout: 10_000 }).toBe(state);
    return await list();
  }

  describe(`${name}: decisions of a handler`, () => {
    test('an event is tried again at the time that the handler states, and not before', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      const start = clock.now;
      const at = start + 3 * dayMs;
      const { worker, ...seen } = await work(harness, ({ attempt, retryAt }) => {
        if (attempt === 1) retryAt(new Date(at), 'The bank is closed');
      });
      expect(await untilFirst(harness, 'retry')).toMatchObject([
        { attempts: 1, retryAt: at, error: 'The bank is closed', interruptions: 0 },
        { state: 'waiting' },
      ]);
      expect(await harness.effects()).toEqual([]);
      clock.now = at - 1;
      expect(await claim(store)).toEqual([]);
      clock.now = at;
      await expect.poll(async () => (await store.stats()).byState.done).toBe(2);
      await worker.close();
      expect(seen.attempts).toEqual([
        [1, start],
        [2, at],
      ]);
      expect(seen.outcomes).toEqual(['postponed', 'handled', 'handled']);
      expect(seen.failures).toMatchObject([
        { event: { kind: 'first' }, error: { code: 'postponed' } },
      ]);
      expect(await harness.effects()).toEqual(['first', 'second']);
    });

    test('an event that the handler postpones is a dead letter after its last attempt', async () => {
      await using harness = await open();
      const { clock } = harness;
      const { worker, attempts, dead } = await work(
        harness,
        ({ retryAt }) => retryAt(new Date(clock.now), 'The bank is closed'),
        { retry: { attempts: 3 } },
      );
      expect(await untilFirst(harness, 'dead')).toMatchObject([
        { attempts: 3, error: 'The bank is closed' },
        { state: 'waiting' },
      ]);
      await worker.close();
      expect(attempts.map(([attempt]) => attempt)).toEqual([1, 2, 3]);
      expect(dead).toMatchObject([{ error: { code: 'postponed' } }]);
    });

    test('an event that the handler gives up is a dead letter at once, with the reason', async () => {
      await using harness = await open();
      const { worker, ...seen } = await work(
        harness,
        ({ deadLetter }) => deadLetter('The account is closed'),
        { isPermanent: () => false, describeError: () => 'other' },
      );
      expect(await untilFirst(harness, 'dead')).toMatchObject([
        { attempts: 1, error: 'The account is closed' },
        { state: 'waiting' },
      ]);
      await worker.close();
      expect(seen.attempts).toHaveLength(1);
      expect(seen.outcomes).toEqual(['dead']);
      expect(seen.failures).toEqual([]);
      expect(seen.dead).toMatchObject([
        {
          event: { kind: 'first' },
          error: { code: 'dead-letter', message: 'The account is closed' },
        },
      ]);
      expect(await harness.effects()).toEqual([]);
    });

    test('an event is completed without its effect, and the next one is handled', async () => {
      await using harness = await open();
      const { store } = harness;
      const { worker, ...seen } = await work(harness, ({ completeWithoutEffect }) =>
        completeWithoutEffect(),
      );
      await expect.poll(async () => (await store.stats()).byState.done).toBe(2);
      await worker.close();
      expect((await store.list()).events).toMatchObject([
        { kind: 'first', attempts: 0, error: undefined },
        { kind: 'second', attempts: 0 },
      ]);
      expect(seen.attempts).toHaveLength(1);
      expect(seen.outcomes).toEqual(['without-effect', 'handled']);
      expect([...seen.failures, ...seen.dead]).toEqual([]);
      expect(await harness.effects()).toEqual(['second']);
    });

    test('an event whose completion without effect fails goes back to the queue', async () => {
      await using harness = await open();
      const { store } = harness;
      let completions = 0;
      const failing: typeof store = {
        ...store,
        complete: async (held, handle) => {
          completions += 1;
          if (completions === 2) throw new InboxError('store-failed', 'The disk is full');
          return await store.complete(held, handle);
        },
      };
      const errors: unknown[] = [];
      const { worker, ...seen } = await work(
        { ...harness, store: failing },
        ({ completeWithoutEffect }) => completeWithoutEffect(),
        { onError: (error) => errors.push(error) },
      );
      await expect
        .poll(async () => (await store.stats()).byState.done, { timeout: 10_000 })
        .toBe(2);
      await worker.close();
      expect(seen.outcomes).toEqual(['released', 'without-effect', 'handled']);
      expect(errors).toMatchObject([{ code: 'store-failed' }]);
      expect((await store.list()).events).toMatchObject([
        { kind: 'first', attempts: 0, interruptions: 0 },
        { kind: 'second', attempts: 0 },
      ]);
    });

    test('the first decision counts, also where the handler catches it', async () => {
      await using harness = await open();
      const { worker, attempts } = await work(harness, (context) => {
        try {
          context.deadLetter('The account is closed');
        } catch {
          context.completeWithoutEffect();
        }
      });
      const ignoring = await untilFirst(harness, 'dead');
      await worker.close();
      expect(ignoring).toMatchObject([{ attempts: 1, error: 'The account is closed' }, {}]);
      expect(attempts).toHaveLength(1);
      await using other = await open();
      const { worker: second } = await work(other, (context) => {
        try {
          context.deadLetter('The account is closed');
        } catch {
          // The handler then returns its effect.
        }
      });
      await untilFirst(other, 'dead');
      await second.close();
      expect(await other.effects()).toEqual([]);
    });

    test.each<readonly [string, (context: HandlerContext) => unknown]>([
      ['a time that is not valid', ({ retryAt }) => retryAt(new Date(Number.NaN), 'later')],
      ['a time that is not a Date', ({ retryAt }) => retryAt(5000 as never, 'later')],
      ['no reason for a later attempt', ({ retryAt }) => retryAt(new Date(0), '')],
      ['no reason for a dead letter', ({ deadLetter }) => deadLetter(' ')],
      ['an endless attempt', ({ extendTimeout }) => extendTimeout(Infinity)],
    ])('%s makes the attempt fail', async (_what, decide) => {
      await using harness = await open();
      const { worker } = await work(harness, decide, { retry: { attempts: 1 } });
      const events = await untilFirst(harness, 'dead');
      await worker.close();
      expect(events).toMatchObject([{ attempts: 1, error: 'InboxError [invalid-option]' }, {}]);
    });

    test('an attempt can be extended, and its effect happens', async () => {
      await using harness = await open();
      const { worker, outcomes } = await work(harness, () => undefined, {
        attemptTimeoutMs: 200,
        handle: async ({ kind = '' }, context) => {
          context.extendTimeout(60_000);
          // An extension never shortens the time.
          context.extendTimeout(1);
          await delay(300);
          return await harness.effect(kind)(context);
        },
      });
      expect(await untilFirst(harness, 'done')).toMatchObject([{ attempts: 0 }, {}]);
      await worker.close();
      expect(outcomes[0]).toBe('handled');
      expect((await harness.effects())[0]).toBe('first');
    });

    test('after its time is over, a handler can decide nothing', async () => {
      await using harness = await open();
      const refused: unknown[] = [];
      const { worker } = await work(harness, () => undefined, {
        attemptTimeoutMs: 20,
        retry: { attempts: 1 },
        handle: async (_event, context) => {
          await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
          for (const decide of [
            () => context.retryAt(new Date(0), 'later'),
            () => context.deadLetter('never'),
            () => context.completeWithoutEffect(),
            () => context.extendTimeout(60_000),
          ])
            try {
              decide();
            } catch (error) {
              refused.push(error instanceof Error && error.name);
            }
          return await harness.none(context);
        },
      });
      const events = await untilFirst(harness, 'dead');
      await worker.close();
      expect(events).toMatchObject([{ attempts: 1, error: 'TimeLimitError' }, {}]);
      expect(refused).toEqual(Array.from({ length: 4 }, () => 'TimeLimitError'));
    });
  });
}
