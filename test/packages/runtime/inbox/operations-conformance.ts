import { describe, expect, test } from 'vitest';
import { claim, claimOne, receipt, type OpenHarness } from './store-harness.ts';

/** Tests what operators do with a store. */
export function describeOperations<Scope, Result>(
  name: string,
  open: OpenHarness<Scope, Result>,
): void {
  describe(`${name}: operations`, () => {
    test('stats count states and report the oldest age', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      expect(await store.stats()).toMatchObject({ depth: 0, failed: 0, oldestAgeMs: undefined });
      await store.receive({ ...receipt({ orderKey: 'a' }, { orderKey: 'a' }), receivedAt: 1000 });
      await store.receive({ ...receipt({}, {}, {}), receivedAt: 2000 });
      const [first, second, third] = await claim(store, 3);
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('expected three claims');
      await store.fail(first, { error: 'broken', at: clock.now + 1000 });
      await store.bury(second, { error: 'broken', afterDeadLetter: 'wait' });
      await store.complete(third, harness.none);
      clock.now = 5000;
      expect(await store.stats()).toEqual({
        byState: { ready: 1, waiting: 1, retry: 1, working: 0, done: 1, dead: 1, discarded: 0 },
        depth: 3,
        backlog: 1,
        blockedKeys: 1,
        failed: 2,
        oldestAgeMs: 3000,
        duplicates: 0,
        interruptions: 0,
      });
      clock.now = 1_001_500;
      expect(await store.stats()).toMatchObject({ backlog: 3, blockedKeys: 0 });
    });

    test('a list is filtered and paged, and contains no payload', async () => {
      await using harness = await open();
      const { store } = harness;
      for (let count = 0; count < 5; count += 1)
        await store.receive(receipt({ kind: 'even' }, { kind: 'odd', orderKey: `key${count}` }));
      const kinds: (string | undefined)[] = [];
      let after: string | undefined;
      do {
        const page = await store.list(
          { kind: 'odd' },
          { pageSize: 2, ...(after === undefined ? {} : { after }) },
        );
        expect(page.events.length).toBeLessThanOrEqual(2);
        kinds.push(...page.events.map(({ orderKey }) => orderKey));
        after = page.next;
      } while (after !== undefined);
      expect(kinds).toEqual(['key0', 'key1', 'key2', 'key3', 'key4']);
      const { events } = await store.list({ orderKey: 'key3' });
      expect(events).toHaveLength(1);
      expect(events[0]).not.toHaveProperty('body');
      const ids = events.map(({ id }) => id);
      expect((await store.list({ ids })).events).toEqual(events);
      expect((await store.list({ ids: ['unknown', 'unknown-1'] })).events).toEqual([]);
      expect((await store.list({ receivedBefore: 1000 })).events).toEqual([]);
      expect((await store.list({ state: 'ready', receivedBefore: 1001 })).events).toHaveLength(10);
      expect((await store.list({ receivedAfter: 1000 })).events).toHaveLength(10);
      expect((await store.list({ receivedAfter: 1001 })).events).toEqual([]);
      const newest = await store.list({ kind: 'odd' }, { pageSize: 1, first: 'newest' });
      expect(newest.events).toMatchObject([{ orderKey: 'key4' }]);
      await expect(store.list({}, { after: 'unknown-0' })).rejects.toMatchObject({
        code: 'invalid-option',
      });
    });

    test.each(['newest', 'oldest'] as const)(
      'pages, %s first, lose and repeat nothing while events are stored and deleted',
      async (first) => {
        await using harness = await open();
        const { store, clock } = harness;
        const sent = Array.from({ length: 6 }, () => receipt({}));
        for (const delivery of sent) await store.receive(delivery);
        const ids = sent.map(({ id }) => `${id}-0`);
        if (first === 'newest') ids.reverse();
        const page = await store.list({}, { pageSize: 3, first });
        expect(page.events.map(({ id }) => id)).toEqual(ids.slice(0, 3));
        // The event after which the list continues is deleted, and another one arrives.
        for (const held of await claim(store))
          if (held.event.id === ids[2]) await store.complete(held, harness.none);
          else await store.release([held]);
        clock.now += 1;
        expect(await store.delete({ finishedBefore: clock.now }, 'ana')).toMatchObject({
          receipts: 1,
        });
        await store.receive(receipt({ kind: 'new' }));
        const rest = await store.list({}, { pageSize: 4, first, after: page.next ?? '' });
        const old = rest.events.filter(({ kind }) => kind !== 'new');
        expect(old.map(({ id }) => id)).toEqual(ids.slice(3));
        expect(rest.events).toHaveLength(first === 'newest' ? 3 : 4);
        expect(rest.next).toBeUndefined();
      },
    );

    test('a failure is stored with how the delivery violates the contract, and when', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      const isEncrypted = name === 'encrypted';
      const rejection = {
        reason: 'schema',
        kinds: ["ship'Docked\\", 'shipLeft'],
        violations: [
          { pointer: "/we'ig\\ht", keyword: 'type', message: 'must be integer' },
          { pointer: '', keyword: 'required', message: 'must have port\0' },
        ],
        omitted: 3,
      };
      const stored = isEncrypted
        ? {
            ...rejection,
            violations: rejection.violations.map((violation) => ({
              ...violation,
              pointer: undefined,
            })),
          }
        : rejection;
      await store.receive(receipt({ orderKey: 'a' }));
      const held = await claimOne(store);
      await store.fail(held, { error: 'first', rejection, at: clock.now + 1000 });
      const failed = { rejection: stored, error: 'first', failedAt: clock.now, attempts: 1 };
      expect(await store.get(held.event.id)).toMatchObject(failed);
      clock.now += 2000;
      const again = await claimOne(store);
      expect(again.event).toMatchObject({ rejection: stored });
      await store.bury(again, { error: 'second', rejection, afterDeadLetter: 'wait' });
      const dead = { rejection: stored, error: 'second', failedAt: clock.now, attempts: 2 };
      expect((await store.list()).events).toMatchObject([dead]);
      expect((await store.list({ failedAfter: clock.now })).events).toHaveLength(1);
      expect((await store.list({ failedAfter: clock.now + 1 })).events).toEqual([]);
      // What the last failure says replaces what an earlier one said.
      expect(await store.retry({ state: 'dead' }, 'ana')).toBe(1);
      await store.bury(await claimOne(store), { error: 'third', afterDeadLetter: 'wait' });
      expect(await store.get(held.event.id)).toMatchObject({
        error: 'third',
        rejection: undefined,
      });
    });

    test('a waiting event names the event that it waits for', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      const sent = receipt(
        { kind: 'a1', orderKey: 'a' },
        { kind: 'a2', orderKey: 'a' },
        { kind: 'a3', orderKey: 'a' },
        { kind: 'b1', orderKey: 'b' },
        { kind: 'b2', orderKey: 'b' },
        { kind: 'free' },
      );
      await store.receive(sent);
      const waits = async (): Promise<Readonly<Record<string, unknown>>> => {
        const { events } = await store.list();
        for (const event of events) expect(await store.get(event.id)).toEqual(event);
        return Object.fromEntries(
          events.flatMap(({ kind, waitsFor }) => (waitsFor ? [[kind, waitsFor]] : [])),
        );
      };
      const a1 = { id: `${sent.id}-0`, kind: 'a1' };
      const b1 = { id: `${sent.id}-3`, kind: 'b1', state: 'ready', until: undefined };
      const ready = { ...a1, state: 'ready', until: undefined };
      expect(await waits()).toEqual({ a2: ready, a3: ready, b2: b1 });
      const held = await claimOne(store);
      const working = { ...a1, state: 'working', until: clock.now + 20_000 };
      expect(await waits()).toEqual({ a2: working, a3: working, b2: b1 });
      expect(await store.get(held.event.id)).toMatchObject({ leaseUntil: clock.now + 20_000 });
      await store.fail(held, { error: 'broken', at: clock.now + 500 });
      const retry = { ...a1, state: 'retry', until: clock.now + 500 };
      expect(await waits()).toEqual({ a2: retry, a3: retry, b2: b1 });
      clock.now += 500;
      for (const heldClaim of await claim(store))
        if (heldClaim.event.kind === 'a1')
          await store.bury(heldClaim, { error: 'broken', afterDeadLetter: 'wait' });
        else await store.release([heldClaim]);
      const dead = { ...a1, state: 'dead', until: undefined };
      expect(await waits()).toEqual({ a2: dead, a3: dead, b2: b1 });
      // An operator can put an event in front of one that is in work: both wait for that one.
      await store.discard({ kind: 'a1' }, 'ana');
      const second = (await claim(store)).find(({ event }) => event.kind === 'a2');
      await store.retry({ ids: [a1.id] }, 'ana');
      expect(second).toBeDefined();
      const inWork = { id: `${sent.id}-1`, kind: 'a2', state: 'working' };
      expect(await waits()).toMatchObject({ a1: inWork, a3: inWork });
    });

    test('a preview counts what an action then changes, and changes nothing', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive({ ...receipt({ kind: 'a' }, { kind: 'a' }), receivedAt: 1000 });
      await store.receive({ ...receipt({ kind: 'b' }, {}), receivedAt: 3000 });
      await store.receive({ ...receipt({ kind: 'b' }), receivedAt: 5000 });
      for (const held of await claim(store, 4))
        if (held.event.position === 1 && held.event.kind !== undefined)
          await store.fail(held, { error: 'x', at: clock.now + 10_000 });
        else await store.bury(held, { error: 'x', afterDeadLetter: 'wait' });
      const before = (await store.list()).events;
      const none = { events: 0, groups: [] };
      const filters = [{}, { kind: 'a' }, { state: 'dead' as const }, { receivedAfter: 3000 }];
      const actions = ['retry', 'replay', 'discard'] as const;
      const counted: number[] = [];
      for (const filter of filters)
        for (const action of actions) {
          const { events } = await store.preview(action, filter);
          counted.push(events);
        }
      expect(counted).toEqual([4, 4, 5, 2, 2, 2, 3, 3, 3, 2, 2, 3]);
      expect(await store.preview('retry', { state: 'dead' })).toEqual({
        events: 3,
        groups: [
          { kind: undefined, state: 'dead', events: 1 },
          { kind: 'a', state: 'dead', events: 1 },
          { kind: 'b', state: 'dead', events: 1 },
        ],
        oldestReceivedAt: 1000,
        newestReceivedAt: 3000,
      });
      expect(await store.preview('retry', { state: 'done' })).toEqual({
        ...none,
        oldestReceivedAt: undefined,
        newestReceivedAt: undefined,
      });
      expect((await store.list()).events).toEqual(before);
      expect(await store.audit()).toEqual([]);
      expect(await store.retry({ receivedAfter: 3000 }, 'ana')).toBe(2);
      expect(await store.discard({}, 'ana')).toBe(5);
    });

    test('a payload is revealed, and who read it is recorded', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      const sent = receipt({});
      await store.receive(sent);
      const id = `${sent.id}-0`;
      expect(await store.get(id)).not.toHaveProperty('body');
      expect(await store.audit()).toEqual([]);
      const revealed = await store.reveal(id, 'ana');
      expect(Buffer.from(revealed?.body ?? []).toString()).toBe(Buffer.from(sent.body).toString());
      expect(await store.reveal('unknown-0', 'ana')).toBeUndefined();
      expect(await store.audit()).toEqual([
        { at: clock.now, by: 'ana', action: 'reveal', eventId: id, detail: undefined },
      ]);
    });

    test('a retry gives a dead event new attempts, and its key continues after it', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({ kind: 'a1', orderKey: 'a' }, { kind: 'a2', orderKey: 'a' }));
      const held = await claimOne(store);
      await store.bury(held, { error: 'broken', afterDeadLetter: 'wait' });
      expect(await store.retry({ kind: 'a2' }, 'ana')).toBe(0);
      expect(await store.retry({ state: 'dead' }, 'ana')).toBe(1);
      const again = await claimOne(store);
      expect(again.event).toMatchObject({ kind: 'a1', attempts: 0 });
      expect(await store.retry({ ids: [again.event.id] }, 'ana')).toBe(0);
      await store.complete(again, harness.none);
      expect((await claimOne(store)).event.kind).toBe('a2');
      expect(await store.audit()).toMatchObject([
        { by: 'ana', action: 'retry', eventId: held.event.id },
      ]);
    });

    test('a discarded event frees its key', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(
        receipt(
          { kind: 'a1', orderKey: 'a' },
          { kind: 'a2', orderKey: 'a' },
          { kind: 'a3', orderKey: 'a' },
        ),
      );
      await store.bury(await claimOne(store), { error: 'broken', afterDeadLetter: 'wait' });
      expect(await store.discard({ kind: 'a2' }, 'ana')).toBe(1);
      expect(await claim(store)).toEqual([]);
      expect(await store.discard({ kind: 'a1' }, 'ben')).toBe(1);
      const held = await claimOne(store);
      expect(held.event.kind).toBe('a3');
      expect(await store.discard({ kind: 'a3' }, 'ben')).toBe(0);
      expect((await store.audit()).map(({ by, action }) => [by, action])).toEqual([
        ['ben', 'discard'],
        ['ana', 'discard'],
      ]);
    });

    test('a discarded event is retried only if it is named alone', async () => {
      await using harness = await open();
      const { store } = harness;
      const sent = receipt({ kind: 'a' }, { kind: 'a' }, { kind: 'a' });
      await store.receive(sent);
      const [first = '', second = '', third = ''] = [0, 1, 2].map((index) => `${sent.id}-${index}`);
      await store.discard({ ids: [first] }, 'ana');
      await store.discard({ ids: [second] }, 'ana');
      await store.bury(await claimOne(store), { error: 'broken', afterDeadLetter: 'wait' });
      const selections = [{}, { kind: 'a' }, { state: 'discarded' as const }];
      for (const filter of [...selections, { ids: [first, second] }])
        for (const action of ['retry', 'replay'] as const) {
          const { groups } = await store.preview(action, filter);
          expect(groups.filter(({ state }) => state === 'discarded')).toEqual([]);
        }
      expect(await store.retry({ ids: [first, second, third] }, 'ana')).toBe(1);
      expect(await store.replay({ kind: 'a' }, 'ana')).toBe(0);
      expect((await store.stats()).byState).toMatchObject({ discarded: 2, ready: 1 });
      expect((await store.preview('retry', { ids: [first] })).events).toBe(1);
      expect(await store.retry({ ids: [first] }, 'ana')).toBe(1);
      expect(await store.replay({ ids: [second] }, 'ana')).toBe(1);
      expect((await store.stats()).byState).toMatchObject({ discarded: 0, ready: 3 });
    });

    test('a replay handles a handled event again, in its place', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({ kind: 'a1', orderKey: 'a' }));
      await store.complete(await claimOne(store), harness.effect('first'));
      await store.receive(receipt({ kind: 'a2', orderKey: 'a' }));
      expect(await store.retry({ kind: 'a1' }, 'ana')).toBe(0);
      expect(await store.replay({ kind: 'a1' }, 'ana')).toBe(1);
      const [held, ...furtherClaims] = await claim(store);
      expect(furtherClaims).toEqual([]);
      expect(held?.event.kind).toBe('a1');
      if (held !== undefined) await store.complete(held, harness.effect('second'));
      expect(await harness.effects()).toEqual(['first', 'second']);
      expect((await claimOne(store)).event.kind).toBe('a2');
    });

    test('payloads are deleted by age and key; identities outlive them', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      const both = receipt({ orderKey: 'a', identity: 'one' }, { orderKey: 'b' });
      await store.receive(both);
      await store.receive(receipt({ orderKey: 'c' }));
      for (const held of await claim(store))
        if (held.event.orderKey === 'b')
          await store.bury(held, { error: 'x', afterDeadLetter: 'wait' });
        else await store.complete(held, harness.none);
      clock.now += 1000;
      const finishedBefore = clock.now;
      expect(await store.delete({ finishedBefore, orderKey: 'a' }, 'ana')).toEqual({
        receipts: 0,
        identities: 0,
      });
      expect(await store.delete({ finishedBefore, orderKey: 'a', dead: true }, 'ana')).toEqual({
        receipts: 1,
        identities: 0,
      });
      expect(await store.get(`${both.id}-0`)).toBeUndefined();
      expect((await store.list()).events.map(({ orderKey }) => orderKey)).toEqual(['c']);
      expect((await store.receive(receipt({ identity: 'one' })))[0]?.status).toBe('duplicate');
      expect(await store.delete({ identitiesBefore: 1001 }, 'ana')).toEqual({
        receipts: 0,
        identities: 1,
      });
      expect((await store.receive(receipt({ identity: 'one' })))[0]?.status).toBe('stored');
      expect(await store.delete({ finishedBefore }, 'ana')).toMatchObject({ receipts: 1 });
      expect((await store.audit()).map(({ action }) => action)).toEqual([
        'delete',
        'delete',
        'delete',
      ]);
      // The key of the deleted dead event does not wait for it.
      await store.receive(receipt({ orderKey: 'b' }));
      expect((await claim(store)).map(({ event }) => event.orderKey)).toContain('b');
    });

    test('a closed store refuses calls', async () => {
      await using harness = await open();
      await harness.store.close();
      await harness.store.close();
      await expect(harness.store.stats()).rejects.toMatchObject({ code: 'closed' });
      await expect(harness.store.receive(receipt({}))).rejects.toMatchObject({ code: 'closed' });
    });
  });
}
