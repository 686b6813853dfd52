import { describe, expect, test } from 'vitest';
import { createWorker, type FailedEvent, type WorkerOptions } from '@countersign/runtime/inbox';
import { claim, claimOne, receipt, type OpenHarness, type StoreHarness } from './store-harness.ts';

/** Tests that every store keeps the alert about a dead letter until it was given, and limits the records of operators. */
export function describeAlerts<Scope, Result>(
  name: string,
  open: OpenHarness<Scope, Result>,
): void {
  /** Stores an event and makes it a dead letter. With a lease, as a worker that calls `onDeadLetter` does. */
  async function bury(
    { store }: StoreHarness<Scope, Result>,
    kind: string,
    alertLeaseMs?: number,
  ): Promise<void> {
    await store.receive(receipt({ kind }));
    const lease = alertLeaseMs === undefined ? {} : { alertLeaseMs };
    await store.bury(await claimOne(store), { error: 'broken', afterDeadLetter: 'wait', ...lease });
  }

  /** Starts a worker that collects what `onDeadLetter` gets. */
  function alertInto(
    { store, clock, none }: StoreHarness<Scope, Result>,
    letters: FailedEvent[],
    options: Partial<WorkerOptions<Scope, Result>> = {},
  ): ReturnType<typeof createWorker> {
    return createWorker<Scope, Result>({
      store,
      clock: () => clock.now,
      pollIntervalMs: 5,
      handle: async (_, scope) => await none(scope),
      onDeadLetter: (letter) => letters.push(letter),
      onError: () => undefined,
      ...options,
    });
  }

  describe(`${name}: alerts about dead letters`, () => {
    test('an alert belongs to one caller until its lease ends, and is repeated until it is given', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      const other = harness.another();
      await bury(harness, 'leased', 1000);
      expect(await other.claimAlert(1000)).toBeUndefined();
      clock.now += 1000;
      const second = await other.claimAlert(1000);
      expect(second).toMatchObject({
        event: { kind: 'leased', state: 'dead', error: 'broken', method: 'POST' },
        reference: { attempt: 2 },
      });
      if (second === undefined) throw new Error('expected an alert');
      expect(Buffer.from(second.event.body).toString()).toMatch(/^\d+$/u);
      expect(await store.claimAlert(1000)).toBeUndefined();
      // The first caller is late.
      await store.settleAlert({ ...second.reference, attempt: 1 }, 'given');
      clock.now += 1000;
      const third = await other.claimAlert(1000);
      if (third === undefined) throw new Error('expected an alert');
      expect(third.reference.attempt).toBe(3);
      await other.settleAlert(third.reference, { retryAfterMs: 5000 });
      clock.now += 4999;
      expect(await store.claimAlert(1000)).toBeUndefined();
      clock.now += 1;
      const fourth = await store.claimAlert(1000);
      if (fourth === undefined) throw new Error('expected an alert');
      await store.settleAlert(fourth.reference, 'given');
      clock.now += 3_600_000;
      expect(await store.claimAlert(1000)).toBeUndefined();
    });

    test('a clock that is set back delays no alert', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await bury(harness, 'leased', 1000);
      clock.now -= 86_400_000;
      expect(await store.claimAlert(1000)).toMatchObject({ event: { kind: 'leased' } });
    });

    test('a letter that is retried or discarded has no alert, and a new one when it dies again', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await bury(harness, 'retried', 1000);
      const [letter] = (await store.list({ state: 'dead' })).events;
      const first = { id: letter?.id ?? '', token: 1, attempt: 1 };
      await store.settleAlert(first, 'given');
      await store.retry({ state: 'dead' }, 'ana');
      await bury(harness, 'discarded');
      clock.now += 1000;
      // The event that was put back is claimed first.
      expect(await store.claimAlert(1000)).toMatchObject({ event: { kind: 'retried' } });
      // What was given for the first death does not end the alert of the second one.
      await store.settleAlert(first, 'given');
      clock.now += 1000;
      expect(await store.claimAlert(1000)).toMatchObject({
        event: { kind: 'retried' },
        reference: { attempt: 2 },
      });
      await store.discard({ state: 'dead' }, 'ana');
      for (const held of await claim(store)) await store.complete(held, harness.none);
      clock.now += 3_600_000;
      expect(await store.claimAlert(1000)).toBeUndefined();
    });

    test('`onDeadLetter` is called again, by another worker, until it succeeds', async () => {
      await using harness = await open();
      const { store, clock, none } = harness;
      await store.receive(receipt({ kind: 'broken' }));
      const failed: FailedEvent[] = [];
      const errors: unknown[] = [];
      const violation = { pointer: '/ship', keyword: 'type', message: 'must be a text' };
      const rejection = { reason: 'schema', kinds: ['a'], violations: [violation], omitted: 0 };
      const worker = alertInto(harness, [], {
        kinds: { broken: { concurrency: 1, retry: { attempts: 1 } } },
        handle: async () => {
          throw Object.assign(new Error('secret'), { rejection });
        },
        onDeadLetter: async (letter) => {
          failed.push(letter);
          throw new Error('The pager does not answer');
        },
        onError: (error) => errors.push(error),
      });
      await expect.poll(() => errors).toMatchObject([{ message: 'The pager does not answer' }]);
      await worker.close();
      const letter = { kind: 'broken', state: 'dead', attempts: 1, error: 'Error', rejection };
      expect(failed).toMatchObject([{ event: letter, error: { message: 'secret' } }]);
      expect((await store.list()).events).toMatchObject([letter]);

      clock.now += 1000;
      const letters: FailedEvent[] = [];
      const next = alertInto(harness, letters, { handle: async (_, scope) => await none(scope) });
      await expect.poll(() => letters).toHaveLength(1);
      await next.close();
      expect(letters).toMatchObject([
        { event: letter, error: { code: 'dead-letter', message: 'Error' } },
      ]);
      clock.now += 3_600_000;
      expect(await store.claimAlert(1000)).toBeUndefined();
    });

    test('a call that does not end occupies no handler, and no more than ten are in progress', async () => {
      await using harness = await open();
      const { store, clock, none } = harness;
      await store.receive(receipt(...Array.from({ length: 12 }, () => ({ kind: 'broken' }))));
      await store.receive(receipt({ kind: 'healthy' }));
      let calls = 0;
      const worker = alertInto(harness, [], {
        concurrency: 2,
        kinds: { broken: { concurrency: 1, retry: { attempts: 1 } } },
        handle: async ({ kind }, scope) => {
          if (kind === 'broken') throw new Error('secret');
          return await none(scope);
        },
        onDeadLetter: async () => {
          calls += 1;
          await new Promise(() => undefined);
        },
      });
      await expect
        .poll(async () => (await store.stats()).byState, { timeout: 10_000 })
        .toMatchObject({ dead: 12, done: 1 });
      await worker.close({ graceMs: 0 });
      // One more is that of the search for alerts which others did not give.
      expect([10, 11]).toContain(calls);

      clock.now += 60_000;
      const letters: FailedEvent[] = [];
      const next = alertInto(harness, letters);
      await expect.poll(() => letters.length, { timeout: 10_000 }).toBe(12);
      await next.close();
      expect(new Set(letters.map(({ event }) => event.id)).size).toBe(12);
    });

    test('letters of every cause that a worker without `onDeadLetter` left are alerted', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      const unreadable = receipt({ kind: 'unreadable' });
      await store.receive(receipt({ kind: 'interrupted' }));
      for (let times = 0; times < 2; times += 1) {
        await claimOne(store);
        clock.now += 30_000;
      }
      await store.receive(unreadable);
      await store.receive(receipt({ kind: 'permanent' }));
      await store.receive(receipt({ kind: 'decided' }));
      await harness.damage(unreadable.id);
      const worker = createWorker<Scope, Result>({
        store,
        clock: () => clock.now,
        pollIntervalMs: 5,
        maxInterruptions: 2,
        isPermanent: () => true,
        handle: async ({ kind }, context) => {
          if (kind === 'decided') context.deadLetter('The account is closed');
          throw new TypeError('secret');
        },
      });
      await expect.poll(async () => (await store.stats()).byState.dead).toBe(4);
      await worker.close();

      const letters: FailedEvent[] = [];
      const next = alertInto(harness, letters);
      await expect.poll(() => letters.length, { timeout: 10_000 }).toBe(4);
      await next.close();
      const causes = letters.map(({ event, error }) => [event.kind, (error as Error).message]);
      expect(Object.fromEntries(causes)).toEqual({
        interrupted: 'InboxError [interrupted]',
        unreadable: 'InboxError [unreadable-event]',
        permanent: 'TypeError',
        decided: 'The account is closed',
      });
      clock.now += 3_600_000;
      expect(await store.claimAlert(1000)).toBeUndefined();
    });
  });

  describe(`${name}: records of what operators did`, () => {
    test('they are deleted by age and by number, oldest first, in parts', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({}, {}, {}, {}, {}, {}));
      const { events } = await store.list();
      const ages = async (): Promise<readonly number[]> =>
        (await store.audit()).map(({ at }) => at).toReversed();
      const start = clock.now;
      for (const { id } of events) {
        await store.reveal(id, 'ana');
        clock.now += 1000;
      }
      const all = { before: 0, maxRecords: 100, maxDeleted: 10 };
      expect(await store.pruneAudit(all)).toBe(0);
      expect(await store.pruneAudit({ ...all, before: start + 3000, maxDeleted: 2 })).toBe(2);
      expect(await ages()).toEqual([2000, 3000, 4000, 5000].map((ms) => start + ms));
      expect(await store.pruneAudit({ ...all, before: start + 3000 })).toBe(1);
      expect(await store.pruneAudit({ ...all, maxRecords: 2 })).toBe(1);
      expect(await ages()).toEqual([4000, 5000].map((ms) => start + ms));
      expect(await store.pruneAudit({ ...all, maxRecords: 2 })).toBe(0);
    });
  });
}
