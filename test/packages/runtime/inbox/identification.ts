import { setTimeout as delay } from 'node:timers/promises';
import { createInbox, type InboxDelivery, type InboxEvent } from '@countersign/runtime/inbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateShips, type ShipRelease } from './ship-contract.ts';
import { receipt, type OpenHarness, type StoreHarness } from './store-harness.ts';

/** Tests that deliveries which were not identified at receipt are handled once, in order, with an id for each event. */
export function describeIdentification<Scope, Result>(
  name: string,
  open: OpenHarness<Scope, Result>,
): void {
  let older: ShipRelease;
  let newer: ShipRelease;

  async function send(
    { createWebhooks, unauthenticated }: ShipRelease,
    { store }: StoreHarness<Scope, Result>,
    delivery: object,
    options: object = {},
  ): Promise<void> {
    const { fetch } = createWebhooks({
      authenticate: unauthenticated(),
      inbox: createInbox({ store }),
      ...options,
    });
    const body = JSON.stringify(delivery);
    const response = await fetch(new Request('http://localhost/ships', { method: 'POST', body }));
    expect(response.status).toBe(200);
  }

  /** Lets the worker of a release handle what is stored. Each event is an effect. Returns the ids of the events. */
  async function handleAll(
    { createWorker }: ShipRelease,
    { store, effect }: StoreHarness<Scope, Result>,
    onInvalid: () => 'dispatch-valid' | undefined = () => undefined,
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    let running = 0;
    let most = 0;
    const worker = createWorker({
      inbox: { store },
      // What is identified has the limits of its kind.
      kinds: { shipDocked: { concurrency: 1 } },
      on: {},
      otherwise: {
        rest: async (
          { data }: { readonly data: { readonly Ship: { readonly id: string } } },
          context: Scope & { readonly id: string },
        ) => {
          ids.push(context.id);
          running += 1;
          most = Math.max(most, running);
          await delay(2);
          running -= 1;
          return await effect(data.Ship.id)(context);
        },
      },
      onInvalid,
      onDeadLetter: () => undefined,
    });
    const claimable = async (): Promise<number> => {
      const { ready, working, retry } = (await store.stats()).byState;
      return ready + working + retry;
    };
    await expect.poll(claimable, { timeout: 10_000, interval: 20 }).toBe(0);
    await worker.close();
    expect(most).toBeLessThanOrEqual(1);
    return ids;
  }

  const keyOf = (id: string): string => `${newer.receiverName} ${id}`;
  const docked = (id: string, length: number) => ({ type: 'docked', Ship: { id, length } });
  const listed = async ({
    store,
  }: StoreHarness<Scope, Result>): Promise<readonly Partial<InboxEvent>[]> =>
    (await store.list()).events.map(({ kind, orderKey, state, position }) => ({
      kind,
      orderKey,
      state,
      position,
    }));

  describe(`${name}: deliveries that were not identified at receipt`, () => {
    beforeAll(async () => {
      older = await generateShips('older');
      newer = await generateShips('newer');
    });
    afterAll(async () => {
      await older[Symbol.asyncDispose]();
      await newer[Symbol.asyncDispose]();
    });

    test('a delivery that was sent three times, and is a dead letter, has one effect after its recovery', async () => {
      await using harness = await open();
      for (let time = 0; time < 3; time++) await send(older, harness, docked('tern', 300));
      await handleAll(older, harness);
      // All three have the order key that their possible kind gives them, so the others wait for the first one.
      expect(await harness.store.retry({ state: 'dead' }, 'operator')).toBe(1);
      expect(await handleAll(newer, harness)).toHaveLength(1);
      expect(await harness.effects()).toEqual(['tern']);
      expect(await listed(harness)).toEqual([
        { kind: 'shipDocked', orderKey: keyOf('tern'), state: 'done', position: 0 },
      ]);
      expect((await harness.store.stats()).duplicates).toBe(2);
      await send(newer, harness, docked('tern', 300));
      expect((await harness.store.stats()).duplicates).toBe(3);
    });

    test('an event that a receiver without a name stored is not handled again, and goes before later ones', async () => {
      await using harness = await open();
      const { store } = harness;
      const receive = async (delivery: InboxDelivery): Promise<object> =>
        await createInbox({ store }).receive({
          ...delivery,
          headers: delivery.headers.filter(([header]) => header !== ':receiver'),
          events: delivery.events.map(({ kind, formerOrderKey, formerIdentity }) => ({
            ...(kind !== undefined && { kind }),
            ...(formerOrderKey !== undefined && { orderKey: formerOrderKey }),
            ...(formerIdentity !== undefined && { identity: formerIdentity }),
          })),
        });
      const withoutName = { inbox: { receive } };
      await send(newer, harness, docked('tern', 300), withoutName);
      // Its worker identifies this one, with the keys of a receiver without a name.
      await send(older, harness, docked('skua', 300), withoutName);
      await send(newer, harness, docked('tern', 300));
      await send(newer, harness, docked('tern', 301));
      expect((await store.stats()).duplicates).toBe(1);
      expect((await listed(harness)).map(({ orderKey }) => orderKey)).toEqual([
        'tern',
        'skua',
        'tern',
      ]);
      await handleAll(newer, harness);
      await send(newer, harness, docked('skua', 300));
      await send(newer, harness, docked('tern', 302));
      expect((await store.stats()).duplicates).toBe(2);
      expect((await listed(harness)).at(-1)?.orderKey).toBe(keyOf('tern'));
      await handleAll(newer, harness);
      expect((await harness.effects()).toSorted()).toEqual(['skua', 'tern', 'tern', 'tern']);
    });

    test('a worker of several tenants keeps their events apart', async () => {
      await using harness = await open();
      const { store } = harness;
      for (const tenant of ['a', 'b'])
        for (const release of [older, newer]) {
          await send(release, harness, docked('tern', 300), { tenant });
          await send(release, harness, docked('auk', 10), { tenant });
        }
      expect((await store.stats()).duplicates).toBe(2);
      await handleAll(newer, harness);
      expect((await harness.effects()).toSorted()).toEqual(['auk', 'auk', 'tern', 'tern']);
      for (const tenant of ['a', 'b']) await send(newer, harness, docked('tern', 300), { tenant });
      expect(new Set((await listed(harness)).map(({ orderKey }) => orderKey))).toEqual(
        new Set(
          ['a tern', 'a auk', 'b tern', 'b auk'].map((key) => `${newer.receiverName}#${key}`),
        ),
      );
      await handleAll(newer, harness);
      expect(await harness.effects()).toHaveLength(4);
    });

    test('a repetition that a stricter receiver stored as invalid is not handled again', async () => {
      await using harness = await open();
      await send(newer, harness, docked('tern', 300));
      await send(older, harness, docked('tern', 300));
      expect(await listed(harness)).toHaveLength(2);
      await handleAll(newer, harness);
      expect(await harness.effects()).toEqual(['tern']);
    });

    test('the valid events of an invalid delivery have identities, keys and ids of their own', async () => {
      await using harness = await open();
      const list = {
        type: 'docked',
        ships: [{ id: 'bad' }, { id: 'auk', length: 1 }, { id: 'skua', length: 2 }],
      };
      await send(newer, harness, docked('auk', 1));
      await send(newer, harness, list);
      await send(newer, harness, list);
      const ids = await handleAll(newer, harness, () => 'dispatch-valid');
      expect((await harness.effects()).toSorted()).toEqual(['auk', 'skua']);
      expect(new Set(ids).size).toBe(2);
      expect(await listed(harness)).toEqual([
        { kind: 'shipDocked', orderKey: keyOf('auk'), state: 'done', position: 0 },
        { kind: 'shipDocked', orderKey: keyOf('skua'), state: 'done', position: 2 },
      ]);
    });

    test('the events of a delivery that an older contract stored as one have ids of their own', async () => {
      await using harness = await open();
      const ships = [
        { id: 'auk', length: 1 },
        { id: 'skua', length: 2 },
      ];
      const stored = {
        ...receipt({ kind: 'shipDocked' }),
        target: '/ships',
        headers: [],
        body: Buffer.from(JSON.stringify({ type: 'docked', ships })),
      };
      await harness.store.receive(stored);
      const ids = await handleAll(newer, harness);
      expect(ids.toSorted()).toEqual([`${stored.id}-0`, `${stored.id}-1`]);
      expect((await harness.effects()).toSorted()).toEqual(['auk', 'skua']);
      expect((await harness.store.list()).events.map(({ orderKey }) => orderKey)).toEqual([
        'auk',
        'skua',
      ]);
    });

    test('an identified event waits for the event of its key that is in work', async () => {
      await using harness = await open();
      const { store } = harness;
      // A list has no order key before it is identified.
      await send(older, harness, { type: 'docked', ships: [{ id: 'tern', length: 300 }] });
      await send(newer, harness, docked('tern', 20));
      const [, working] = await store.claim({ owner: 'other', maxEvents: 2, leaseMs: 20_000 });
      if (working === undefined) throw new Error('expected two claims');
      harness.clock.now += 10_000;
      // The lease of the first event has ended; the second one is still in work.
      await store.extend([working], 20_000);
      harness.clock.now += 10_000;
      const worker = newer.createWorker({
        inbox: { store },
        on: {},
        otherwise: {
          rest: async (_: unknown, context: Scope) => await harness.effect('later')(context),
        },
        onInvalid: () => undefined,
      });
      await expect
        .poll(async () => await listed(harness))
        .toMatchObject([
          { kind: 'shipDocked', orderKey: keyOf('tern'), state: 'waiting' },
          { state: 'working' },
        ]);
      expect(await store.complete(working, harness.effect('first'))).toBe('completed');
      await expect.poll(async () => (await store.stats()).depth).toBe(0);
      await worker.close();
      expect(await harness.effects()).toEqual(['first', 'later']);
    });
  });
}
