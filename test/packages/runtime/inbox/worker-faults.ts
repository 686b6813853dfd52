import {
  createWorker,
  type FailedEvent,
  type InboxStore,
  type InboxWorker,
} from '@countersign/runtime/inbox';
import { describe, expect, test } from 'vitest';
import { claim, receipt, type OpenHarness } from './store-harness.ts';

/** Tests what one event of a worker can do to the others. */
export function describeWorkerFaults<Scope, Result>(
  name: string,
  open: OpenHarness<Scope, Result>,
): void {
  /** Handles until nothing is claimable. Returns what was handled at the same time, and the dead letters. */
  async function run(
    store: InboxStore<Scope, Result>,
    none: (scope: Scope) => Promise<Result>,
    maxInterruptions: number,
  ): Promise<{ readonly beside: readonly string[]; readonly dead: readonly FailedEvent[] }> {
    const running = new Set<string>();
    const beside: string[] = [];
    const dead: FailedEvent[] = [];
    const worker = createWorker({
      store,
      maxInterruptions,
      leaseMs: 30,
      pollIntervalMs: 5,
      handle: async ({ kind = '' }, scope) => {
        running.add(kind);
        await store.stats();
        beside.push([...running].toSorted().join(' '));
        running.delete(kind);
        return await none(scope);
      },
      onDeadLetter: (letter) => dead.push(letter),
    });
    await expect
      .poll(async () => {
        const { ready, working } = (await store.stats()).byState;
        return ready + working;
      })
      .toBe(0);
    await worker.close();
    return { beside, dead };
  }

  describe(`${name}: faults of events`, () => {
    test('events that were interrupted together run alone, and none of them is blamed', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({ kind: 'a' }, { kind: 'b' }, { kind: 'c' }));
      await claim(store);
      clock.now += 20_000;
      await store.receive(receipt({ kind: 'd', orderKey: 'd' }, { kind: 'e', orderKey: 'e' }));
      const { beside, dead } = await run(store, harness.none, 2);
      expect(dead).toEqual([]);
      for (const kind of ['a', 'b', 'c']) expect(beside).toContain(kind);
      expect((await store.stats()).byState.done).toBe(5);
    });

    test('an event that was interrupted too often is a dead letter, without another attempt', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({ kind: 'poison' }, { kind: 'healthy' }));
      for (let time = 0; time < 2; time += 1) {
        await store.claim({ owner: 'ended', maxEvents: 1, leaseMs: 20_000 });
        clock.now += 20_000;
      }
      const { beside, dead } = await run(store, harness.none, 2);
      expect(beside).toEqual(['healthy']);
      expect(dead).toMatchObject([{ event: { kind: 'poison' }, error: { code: 'interrupted' } }]);
      expect((await store.list({ state: 'dead' })).events).toMatchObject([
        { error: 'InboxError [interrupted]' },
      ]);
    });

    test('an event that was interrupted twice waits for a worker that has lived for long enough', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({ kind: 'innocent' }, { kind: 'healthy' }));
      for (let time = 0; time < 2; time += 1) {
        await store.claim({ owner: 'ended', maxEvents: 1, leaseMs: 20_000 });
        clock.now += 20_000;
      }
      const handled: string[] = [];
      const work = (leaseMs: number): InboxWorker =>
        createWorker({
          store,
          leaseMs,
          pollIntervalMs: 5,
          handle: async ({ kind = '' }, scope) => {
            handled.push(kind);
            return await harness.none(scope);
          },
        });
      // A process that restarts in a loop does not live for a lease.
      for (let restarts = 0; restarts < 10; restarts += 1) {
        const young = work(30_000);
        await store.receive(receipt({ kind: 'healthy' }));
        await expect.poll(() => handled.length).toBeGreaterThan(restarts + 1);
        await young.close();
      }
      expect(handled).not.toContain('innocent');
      expect((await store.stats()).byState).toMatchObject({ ready: 1, done: 11, dead: 0 });
      const old = work(20);
      await expect.poll(() => handled).toContain('innocent');
      await old.close();
      expect((await store.stats()).byState).toMatchObject({ ready: 0, done: 12, dead: 0 });
    });

    test('an unreadable event is a dead letter with its id, and the others are handled', async () => {
      await using harness = await open();
      const { store } = harness;
      const damaged = receipt({ kind: 'damaged' });
      await store.receive(damaged);
      await store.receive(receipt({ kind: 'healthy' }));
      await harness.damage(damaged.id);
      const { beside, dead } = await run(store, harness.none, 3);
      expect(beside).toEqual(['healthy']);
      expect(dead).toMatchObject([
        { event: { id: `${damaged.id}-0` }, error: { code: 'unreadable-event' } },
      ]);
      expect((await store.list({ state: 'dead' })).events).toMatchObject([
        { id: `${damaged.id}-0`, error: 'InboxError [unreadable-event]' },
      ]);
    });

    test('events that fail at once do not keep a worker with one handler from first attempts', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({ kind: 'failing' }, { kind: 'failing' }, { kind: 'failing' }));
      for (const held of await claim(store))
        await store.fail(held, { error: 'broken', at: clock.now });
      clock.now += 1;
      await store.receive(receipt({ kind: 'healthy' }, { kind: 'healthy' }));
      const handled: string[] = [];
      const worker = createWorker({
        store,
        concurrency: 1,
        clock: () => clock.now,
        retry: { firstDelayMs: 0, attempts: 1000 },
        onEvent: () => undefined,
        handle: async ({ kind = '' }, scope) => {
          handled.push(kind);
          if (kind === 'failing') throw new Error('broken');
          return await harness.none(scope);
        },
      });
      await expect.poll(async () => (await store.stats()).byState.done).toBe(2);
      await worker.close();
      expect(handled.slice(0, handled.lastIndexOf('healthy') + 1)).toEqual([
        'failing',
        'healthy',
        'failing',
        'healthy',
      ]);
    });
  });
}
