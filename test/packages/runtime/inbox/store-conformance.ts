import { describe, expect, test } from 'vitest';
import type { Claim, ClaimRequest, ReceivedEvent } from '@countersign/runtime/inbox';
import { claim, claimOne, receipt, type OpenHarness, type StoreHarness } from './store-harness.ts';

/** Tests what every store guarantees about receipts, order, claims and effects. */
export function describeStore<Scope, Result>(name: string, open: OpenHarness<Scope, Result>): void {
  describe(`${name}: receipts`, () => {
    test('a claimed event has the delivery as it arrived', async () => {
      await using harness = await open();
      const body = Uint8Array.from({ length: 256 }, (_, index) => index);
      const sent = {
        ...receipt({ kind: 'shipped', orderKey: 'a', identity: 'one' }),
        headers: [
          ['x-Header', 'värde'],
          ['x-Header', 'again'],
        ] as const,
        body,
        verdict: 'valid',
      };
      expect(await harness.store.receive(sent)).toEqual([{ status: 'stored', id: `${sent.id}-0` }]);
      const { event } = await claimOne(harness.store);
      expect(event).toMatchObject({
        id: `${sent.id}-0`,
        receiptId: sent.id,
        position: 0,
        kind: 'shipped',
        orderKey: 'a',
        identity: 'one',
        verdict: 'valid',
        receivedAt: 1000,
        state: 'working',
        attempts: 0,
        method: 'POST',
        target: sent.target,
        headers: sent.headers,
      });
      expect(Buffer.from(event.body)).toEqual(Buffer.from(body));
    });

    test('every method can be used without its store, and of a copy of it', async () => {
      await using harness = await open();
      const { receive, claim: take, extend, complete, release, fail, bury } = harness.store;
      const { hasInterrupted, claimAlert, settleAlert, onStored } = harness.store;
      const copy = { ...harness.store };
      let stored = 0;
      const stop = onStored(() => (stored += 1));
      const sent = receipt({ orderKey: 'a' }, {}, { orderKey: 'b' });
      await receive(sent);
      stop();
      expect(stored).toBe(1);
      expect(await copy.list()).toEqual(await harness.store.list());
      const request = { owner: 'worker', maxEvents: 3, leaseMs: 20_000 };
      const [first, second, third, ...furtherClaims] = await take(request);
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('expected three claims');
      expect(furtherClaims).toEqual([]);
      expect(await extend([first, second, third], 30_000)).toEqual([]);
      expect(await complete(first, harness.effect('one'))).toBe('completed');
      expect(await fail(second, { error: 'no', at: 9_000_000 })).toBe('recorded');
      expect(await bury(third, { error: 'never', afterDeadLetter: 'wait' })).toBe('recorded');
      const alert = await claimAlert(1000);
      if (alert === undefined) throw new Error('expected an alert');
      await settleAlert(alert.reference, 'given');
      await release([]);
      expect(await hasInterrupted()).toBe(false);
      const { stats, get, preview, reveal, audit, pruneAudit, retry, replay, discard } = copy;
      expect(await stats()).toEqual(await harness.store.stats());
      expect((await get(first.event.id))?.state).toBe('done');
      expect((await preview('retry', { state: 'dead' })).events).toBe(1);
      expect(Buffer.from((await reveal(first.event.id, 'ada'))?.body ?? [])).toEqual(
        Buffer.from(sent.body),
      );
      expect(await retry({ state: 'dead' }, 'ada')).toBe(1);
      expect(await replay({ state: 'done' }, 'ada')).toBe(1);
      expect(await discard({ state: 'ready' }, 'ada')).toBe(2);
      expect(await audit()).toHaveLength(5);
      const { delete: deletePayloads, close } = copy;
      expect(await deletePayloads({ finishedBefore: 0 }, 'ada')).toEqual({
        receipts: 0,
        identities: 0,
      });
      expect(await pruneAudit({ before: 0, maxRecords: 3, maxDeleted: 10 })).toBe(2);
      await close();
      await expect(harness.store.stats()).rejects.toMatchObject({ code: 'closed' });
    });

    test('identities are stored once, within a receipt and across receipts', async () => {
      await using harness = await open();
      const first = receipt({ identity: 'one' }, { identity: 'two' }, { identity: 'one' });
      const stored = (id: string): object => ({ status: 'stored', id });
      const duplicate = (id: string): object => ({ status: 'duplicate', id });
      expect(await harness.store.receive(first)).toEqual([
        stored(`${first.id}-0`),
        stored(`${first.id}-1`),
        duplicate(`${first.id}-0`),
      ]);
      const second = receipt({ identity: 'two' }, { identity: 'three' }, {});
      expect(await harness.another().receive(second)).toEqual([
        duplicate(`${first.id}-1`),
        stored(`${second.id}-1`),
        stored(`${second.id}-2`),
      ]);
      expect(await harness.store.receive(receipt({ identity: 'three' }))).toEqual([
        duplicate(`${second.id}-1`),
      ]);
      expect((await harness.store.list()).events.map(({ id }) => id)).toEqual([
        `${first.id}-0`,
        `${first.id}-1`,
        `${second.id}-1`,
        `${second.id}-2`,
      ]);
      expect((await harness.store.stats()).duplicates).toBe(3);
    });

    test('concurrent receipts of one identity store it once', async () => {
      await using harness = await open();
      const stores = [harness.store, harness.another()];
      const results = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const store = stores[index % 2] ?? harness.store;
          return (await store.receive(receipt({ identity: 'same' })))[0];
        }),
      );
      expect(results.filter((result) => result?.status === 'stored')).toHaveLength(1);
      expect(new Set(results.map((result) => result?.id)).size).toBe(1);
    });

    test('it is tried whether a receipt can be stored, and nothing is left', async () => {
      await using harness = await open();
      const { store } = harness;
      await Promise.all([store.tryToStore(), store.tryToStore(), harness.another().tryToStore()]);
      expect((await store.list()).events).toEqual([]);
      expect(await store.stats()).toMatchObject({ depth: 0, duplicates: 0 });
      await store.close();
      await expect(store.tryToStore()).rejects.toMatchObject({ code: 'closed' });
    });

    test('a receipt above the maximum backlog is refused with all its events', async () => {
      await using harness = await open();
      const limit = { maxBacklogEvents: 2 };
      await harness.store.receive(receipt({ identity: 'one' }), limit);
      await expect(harness.store.receive(receipt({}, {}), limit)).rejects.toMatchObject({
        code: 'backlog-full',
      });
      await harness.store.receive(receipt({}), limit);
      expect((await harness.store.receive(receipt({ identity: 'one' }), limit))[0]?.status).toBe(
        'duplicate',
      );
      expect((await harness.store.stats()).depth).toBe(2);
      await harness.store.complete(await claimOne(harness.store), harness.none);
      await harness.store.receive(receipt({}), limit);
    });
  });

  describe(`${name}: shares of a claim`, () => {
    test.each([1, 2, 3, 10])(
      'failed events leave room for first attempts in claims of %i',
      async (limit) => {
        await using harness = await open();
        const { store, clock } = harness;
        await store.receive(receipt(...Array.from({ length: 60 }, () => ({ kind: 'failing' }))));
        for (const held of await claim(store, 60))
          await store.fail(held, { error: 'broken', at: clock.now });
        clock.now += 1;
        await store.receive(receipt(...Array.from({ length: 12 }, () => ({ kind: 'healthy' }))));
        let healthy = 0;
        let claims = 0;
        while (healthy < 12) {
          claims += 1;
          for (const held of await claim(store, limit))
            if (held.event.kind === 'healthy') {
              healthy += 1;
              await store.complete(held, harness.none);
            } else await store.fail(held, { error: 'broken', at: clock.now });
          clock.now += 1;
        }
        // A quarter of each claim is for failed events.
        expect(claims).toBe(Math.ceil(12 / (limit - Math.floor(limit / 4))));
      },
    );

    test('a claim has as many failed events as the worker permits', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({}, {}, {}, {}, {}, {}));
      for (const held of await claim(store, 4))
        await store.fail(held, { error: 'broken', at: clock.now });
      clock.now += 1;
      const next = async (
        limit: number,
        minRetries: number,
        maxRetries: number,
      ): Promise<string> => {
        const request = {
          owner: 'worker',
          maxEvents: limit,
          leaseMs: 20_000,
          minRetries,
          maxRetries,
        };
        const claims = await store.claim(request);
        await store.release(claims);
        const failed = claims.filter(({ event }) => event.retryAt !== undefined).length;
        return `${failed} of ${claims.length}`;
      };
      expect(await next(2, 0, 2)).toBe('0 of 2');
      expect(await next(2, 1, 2)).toBe('1 of 2');
      expect(await next(2, 2, 2)).toBe('2 of 2');
      expect(await next(6, 0, 6)).toBe('4 of 6');
      expect(await next(6, 1, 2)).toBe('2 of 4');
      expect(await next(6, 0, 0)).toBe('0 of 2');
    });
  });

  describe(`${name}: interruptions`, () => {
    test('an interrupted event is claimed alone until an attempt has a result', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({ kind: 'a' }, { kind: 'b' }));
      await claim(store);
      await store.receive(receipt({ kind: 'c' }));
      clock.now += 20_000;
      const next = async (interrupted: 'none' | 'alone'): Promise<readonly Claim[]> =>
        await store.claim({ owner: 'worker', maxEvents: 10, leaseMs: 20_000, interrupted });
      const kinds = (claims: readonly Claim[]): readonly string[] =>
        claims.map(({ event }) => `${event.kind} ${event.interruptionsInRow}`);
      expect(kinds(await next('none'))).toEqual(['c 0']);
      expect(await store.hasInterrupted()).toBe(true);
      const first = await next('alone');
      expect(kinds(first)).toEqual(['a 1']);
      clock.now += 20_000;
      const second = await next('alone');
      expect(kinds(second)).toEqual(['a 2']);
      for (const held of second) await store.fail(held, { error: 'broken', at: clock.now + 1 });
      // A further attempt has a result before the others.
      expect(kinds(await next('alone'))).toEqual(['b 1']);
      clock.now += 1;
      expect(kinds(await next('none'))).toEqual(['a 0']);
      expect((await store.stats()).interruptions).toBe(4);
      const a = (await store.list({ kind: 'a' })).events;
      expect(a).toMatchObject([{ interruptions: 2, interruptionsInRow: 0, attempts: 1 }]);
    });

    test('a claim leaves out events that were interrupted more often than its worker permits', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      const alone = (maxInRow: number, deadFrom = 5): ClaimRequest => ({
        owner: 'worker',
        maxEvents: 10,
        leaseMs: 20_000,
        interrupted: 'alone',
        alone: { maxInRow, deadFrom },
      });
      await store.receive(receipt({ kind: 'a' }));
      await claim(store);
      clock.now += 20_000;
      const [second] = await store.claim(alone(1));
      expect(second?.event.interruptionsInRow).toBe(1);
      clock.now += 20_000;
      await store.receive(receipt({ kind: 'b' }));
      // Others are claimed instead, and the event keeps its state.
      const others = await store.claim(alone(1));
      expect(others.map(({ event }) => event.kind)).toEqual(['b']);
      for (const held of others) await store.complete(held, harness.none);
      expect(await store.hasInterrupted({ maxInRow: 1, deadFrom: 5 })).toBe(false);
      expect(await store.hasInterrupted({ maxInRow: 2, deadFrom: 5 })).toBe(true);
      expect(await store.hasInterrupted()).toBe(true);
      expect((await store.list({ kind: 'a' })).events).toMatchObject([
        { state: 'ready', interruptionsInRow: 2, leaseUntil: undefined },
      ]);
      // It is a dead letter for a worker with this limit, and claimed for that.
      const [third] = await store.claim(alone(1, 2));
      expect(third?.event.interruptionsInRow).toBe(2);
      clock.now += 20_000;
      expect(await store.claim(alone(2))).toEqual([]);
      clock.now += 3_600_000 - 1;
      expect(await store.claim(alone(2))).toEqual([]);
      clock.now += 1;
      expect(await store.hasInterrupted({ maxInRow: 1, deadFrom: 5 })).toBe(true);
      const [rested] = await store.claim(alone(1));
      expect(rested?.event.interruptionsInRow).toBe(3);
    });

    test('a dead letter that was interrupted runs alone after its retry', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({}));
      for (let time = 0; time < 3; time += 1) {
        await claimOne(store);
        clock.now += 20_000;
      }
      await store.bury(await claimOne(store), { error: 'interrupted', afterDeadLetter: 'wait' });
      await store.retry({ state: 'dead' }, 'operator');
      expect((await store.list()).events).toMatchObject([
        { state: 'ready', interruptions: 3, interruptionsInRow: 1 },
      ]);
    });
  });

  describe(`${name}: what is blocked`, () => {
    test('does not count as backlog: others are not refused, and the age is that of what can be handled', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      const keys = ['dead', 'later', 'busy'];
      const ofKeys = keys.map((orderKey) => ({ orderKey }));
      for (let count = 0; count < 3; count += 1)
        await store.receive({ ...receipt(...ofKeys), receivedAt: clock.now });
      const [dead, later] = await claim(store, 3);
      if (dead === undefined || later === undefined) throw new Error('expected three claims');
      await store.bury(dead, { error: 'broken', afterDeadLetter: 'wait' });
      await store.fail(later, { error: 'broken', at: clock.now + 3_600_000 });
      clock.now += 1000;
      // One event of the third key is in work, and two wait for it.
      expect(await store.stats()).toMatchObject({
        depth: 8,
        backlog: 3,
        blockedKeys: 2,
        oldestAgeMs: 1000,
      });
      const now = (): object => ({ receivedAt: clock.now });
      await store.receive({ ...receipt({}), ...now() }, { maxBacklogEvents: 4 });
      await expect(
        store.receive({ ...receipt({}), ...now() }, { maxBacklogEvents: 4 }),
      ).rejects.toMatchObject({ code: 'backlog-full' });
      clock.now += 3_600_000;
      expect(await store.stats()).toMatchObject({ backlog: 7, blockedKeys: 1 });
    });
  });

  describe(`${name}: an unreadable row`, () => {
    test('does not stop the others, and is named', async () => {
      await using harness = await open();
      const { store } = harness;
      const damaged = receipt({ kind: 'damaged' }, { kind: 'of the same delivery' });
      await store.receive(damaged);
      await store.receive(receipt({ kind: 'healthy' }));
      await harness.damage(damaged.id);
      const claims = await claim(store);
      expect(claims.map(({ event, unreadable }) => [event.kind, unreadable])).toEqual([
        ['damaged', true],
        ['of the same delivery', true],
        ['healthy', undefined],
      ]);
      expect(claims[0]?.event.headers).toEqual([]);
      const id = `${damaged.id}-0`;
      const failure = await store.reveal(id, 'operator').catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'unreadable-event' });
      expect(String(failure)).toContain(id);
      expect(String(failure)).not.toContain('bad');
    });
  });

  describe(`${name}: keys of an earlier version of the receiver`, () => {
    const named = (by: string, key: string): ReceivedEvent => ({
      kind: by,
      orderKey: `${by} ${key}`,
      formerOrderKey: key,
    });
    const listed = async ({ store }: StoreHarness<Scope, Result>): Promise<readonly string[]> =>
      (await store.list()).events.map(
        ({ kind, orderKey, state }) => `${kind} ${state} <${orderKey}>`,
      );

    test('an event with an identity of an earlier version is a duplicate', async () => {
      await using harness = await open();
      const { store } = harness;
      const first = receipt({ identity: 'one' });
      await store.receive(first);
      const duplicate = { status: 'duplicate', id: `${first.id}-0` };
      const sent = receipt(
        { identity: 'shop one', formerIdentity: 'one' },
        { identity: 'shop two', formerIdentity: 'two' },
        { identity: 'shop two', formerIdentity: 'two' },
      );
      const stored = { status: 'stored', id: `${sent.id}-1` };
      expect(await store.receive(sent)).toEqual([
        duplicate,
        stored,
        { ...stored, status: 'duplicate' },
      ]);
      // What is stored now belongs to one receiver.
      const other = receipt({ identity: 'bank two', formerIdentity: 'two' });
      expect(await store.receive(other)).toEqual([{ status: 'stored', id: `${other.id}-0` }]);
      expect((await store.stats()).duplicates).toBe(2);
      const again = receipt({ identity: 'shop one', formerIdentity: 'one' });
      expect(await store.receive(again)).toEqual([duplicate]);
      expect((await store.stats()).duplicates).toBe(3);
    });

    test('an event waits in the queue of its former key while that has events', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({ kind: 'old', orderKey: 'a' }));
      await store.receive(receipt(named('shop', 'a'), named('shop', 'b')));
      await store.receive(receipt(named('shop', 'a')));
      expect(await listed(harness)).toEqual([
        'old ready <a>',
        'shop waiting <a>',
        'shop ready <shop b>',
        'shop waiting <a>',
      ]);
      const handled: string[] = [];
      for (;;) {
        const [next] = await claim(store, 1);
        if (next === undefined) break;
        handled.push(`${next.event.kind} <${next.event.orderKey}>`);
        await store.complete(next, harness.none);
      }
      expect(handled.filter((text) => text.endsWith('<a>'))).toEqual([
        'old <a>',
        'shop <a>',
        'shop <a>',
      ]);
      await store.receive(receipt(named('shop', 'a'), named('bank', 'a')));
      expect((await listed(harness)).slice(4)).toEqual([
        'shop ready <shop a>',
        'bank ready <bank a>',
      ]);
    });

    test('an event waits behind a dead letter of an earlier version, and not behind one of another receiver', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({ kind: 'old', orderKey: 'a' }, named('bank', 'b')));
      for (const held of await claim(store))
        await store.bury(held, { error: 'broken', afterDeadLetter: 'wait' });
      await store.receive(receipt(named('shop', 'a'), named('shop', 'b')));
      expect((await listed(harness)).slice(2)).toEqual(['shop waiting <a>', 'shop ready <shop b>']);
      expect(await store.discard({ state: 'dead' }, 'operator')).toBe(2);
      expect((await claim(store)).map(({ event }) => event.orderKey)).toEqual(['a', 'shop b']);
    });

    test('what replaces an event is compared with the keys of an earlier version', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({ kind: 'old', orderKey: 'a', identity: 'one' }));
      const sent = receipt({ kind: 'unknown' });
      await store.receive(sent);
      const [, held] = await claim(store);
      if (held === undefined) throw new Error('expected two claims');
      await store.complete(held, async () => ({
        replaceBy: {
          count: 3,
          events: [
            { position: 0, identity: 'shop one', formerIdentity: 'one' },
            { position: 1, ...named('shop', 'a'), identity: 'shop two', formerIdentity: 'two' },
            { position: 2, ...named('shop', 'b'), identity: 'shop three' },
          ],
        },
      }));
      expect(await listed(harness)).toEqual([
        'old working <a>',
        'shop waiting <a>',
        'shop ready <shop b>',
      ]);
      expect((await store.stats()).duplicates).toBe(1);
      expect(await store.receive(receipt({ identity: 'shop two' }))).toMatchObject([
        { status: 'duplicate', id: `${sent.id}-1` },
      ]);
    });

    test('concurrent receipts join a former queue until it is empty, and every event is handled', async () => {
      await using harness = await open();
      const stores = [harness.store, harness.another()];
      for (let round = 0; round < 10; round++) {
        await harness.store.receive(receipt({ kind: 'old', orderKey: `k${round}` }));
        const old = await claimOne(harness.store);
        await Promise.all([
          harness.store.complete(old, harness.effect(`${round} old`)),
          ...Array.from({ length: 6 }, async (_, index) => {
            const store = stores[index % 2] ?? harness.store;
            await store.receive(receipt(named('shop', `k${round}`)));
          }),
        ]);
        for (;;) {
          const [next] = await claim(harness.store, 1);
          if (next === undefined) break;
          await harness.store.complete(next, harness.effect(`${round} new`));
        }
      }
      expect((await harness.store.stats()).depth).toBe(0);
      expect((await harness.effects()).filter((text) => text.endsWith('new'))).toHaveLength(60);
    });
  });

  describe(`${name}: identification`, () => {
    const replaceBy = {
      count: 4,
      events: [
        { position: 3, kind: 'b', orderKey: 'b', identity: 'three' },
        { position: 1, kind: 'a', orderKey: 'a', identity: 'one' },
        { position: 2, kind: 'free' },
      ],
    };

    test('a delivery that was stored as one event is replaced by its events', async () => {
      await using harness = await open();
      const { store } = harness;
      const sent = receipt({ orderKey: 'old' });
      await store.receive(sent);
      // An older worker has rejected it.
      const rejection = { reason: 'schema', kinds: [], violations: [], omitted: 0 };
      await store.fail(await claimOne(store), { error: 'broken', rejection, at: 0 });
      await store.receive(receipt({ kind: 'later', orderKey: 'a' }));
      await store.receive(receipt({ kind: 'behind', orderKey: 'old' }));
      const [held, later] = await claim(store);
      if (held === undefined || later === undefined) throw new Error('expected two claims');
      expect(await store.complete(held, async () => ({ replaceBy }))).toBe('replaced');
      expect(await store.complete(held, harness.effect('stale'))).toBe('lost');
      const { events } = await store.list();
      expect(
        events.map(({ id, kind, state, orderKey, identity, identified, count }) =>
          [id, kind, state, orderKey, identity, identified, count].join(),
        ),
      ).toEqual([
        `${sent.id}-1,a,waiting,a,one,true,4`,
        `${later.event.id},later,working,a,,false,1`,
        expect.stringContaining(',behind,ready,old,,false,1'),
        `${sent.id}-2,free,ready,,,true,4`,
        `${sent.id}-3,b,ready,b,three,true,4`,
      ]);
      const next = await claim(store);
      expect(next.map(({ event }) => [event.kind, event.target])).toEqual([
        ['behind', expect.any(String)],
        ['free', sent.target],
        ['b', sent.target],
      ]);
      await store.complete(later, harness.none);
      const [first] = await claim(store);
      expect(first?.event).toMatchObject({ id: `${sent.id}-1`, attempts: 0 });
      expect([first?.event.error, first?.event.rejection]).toEqual([undefined, undefined]);
    });

    test('an event that was identified does not accept the claim of an earlier holder', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({}));
      const stalled = await claimOne(store);
      clock.now += 20_000;
      const held = await claimOne(harness.another());
      await store.complete(held, async () => ({
        replaceBy: { count: 1, events: [{ position: 0, kind: 'a', identity: 'one' }] },
      }));
      const again = await claimOne(store);
      expect(again.event.id).toBe(stalled.event.id);
      expect(await store.complete(stalled, harness.effect('stalled'))).toBe('lost');
      expect(await store.complete(stalled, async () => ({ replaceBy }))).toBe('lost');
      expect(await store.complete(again, harness.effect('again'))).toBe('completed');
      expect(await harness.effects()).toEqual(['again']);
    });

    test('repetitions are left out, and are repetitions of what is identified', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({ kind: 'a', identity: 'one' }));
      const sent = receipt({});
      await store.receive(sent);
      await store.receive(receipt({}));
      const [, partly, all] = await claim(store);
      if (partly === undefined || all === undefined) throw new Error('expected three claims');
      await store.complete(partly, async () => ({ replaceBy }));
      await store.complete(all, async () => ({
        replaceBy: { count: 1, events: [{ position: 0, kind: 'b', identity: 'three' }] },
      }));
      expect(await store.receive(receipt({ identity: 'three' }))).toEqual([
        { status: 'duplicate', id: `${sent.id}-3` },
      ]);
      const { events } = await store.list();
      expect(events.map(({ kind }) => kind)).toEqual(['a', 'free', 'b']);
      expect((await store.stats()).duplicates).toBe(3);
      expect((await store.stats()).depth).toBe(3);
    });

    test.each([
      { problem: 'no event', count: 1, events: [] },
      { problem: 'a repeated position', count: 2, events: [{ position: 1 }, { position: 1 }] },
      { problem: 'a position out of range', count: 1, events: [{ position: 1 }] },
    ])('a replacement with $problem is refused', async ({ count, events }) => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({}));
      const held = await claimOne(store);
      await expect(
        store.complete(held, async () => ({ replaceBy: { count, events } })),
      ).rejects.toMatchObject({ code: 'invalid-option' });
      expect(await store.complete(held, harness.none)).toBe('completed');
    });
  });

  describe(`${name}: order`, () => {
    test('one event of a key is claimed at a time, in commit order', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(
        receipt({ kind: 'a1', orderKey: 'a' }, { kind: 'b1', orderKey: 'b' }, { kind: 'free' }),
      );
      await store.receive(receipt({ kind: 'a2', orderKey: 'a' }, { kind: 'a3', orderKey: 'a' }));
      const first = await claim(store);
      expect(first.map(({ event }) => event.kind)).toEqual(['a1', 'b1', 'free']);
      expect(await claim(harness.another())).toEqual([]);
      for (const held of first) await store.complete(held, harness.none);
      for (const kind of ['a2', 'a3']) {
        const next = await claim(harness.another());
        expect(next.map(({ event }) => event.kind)).toEqual([kind]);
        for (const held of next) await store.complete(held, harness.none);
      }
      expect((await store.stats()).byState).toMatchObject({ done: 5, waiting: 0, ready: 0 });
    });

    test('a key waits while its event is tried again', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({ kind: 'a1', orderKey: 'a' }, { kind: 'a2', orderKey: 'a' }));
      const held = await claimOne(store);
      expect(await store.fail(held, { error: 'broken', at: clock.now + 500 })).toBe('recorded');
      expect(await claim(store)).toEqual([]);
      clock.now += 500;
      const again = await claimOne(store);
      expect(again.event).toMatchObject({ kind: 'a1', attempts: 1, error: 'broken' });
      await store.complete(again, harness.none);
      expect((await claimOne(store)).event.kind).toBe('a2');
    });

    test.each([
      { after: 'skip', next: ['a2'] },
      { after: 'wait', next: [] },
    ] as const)('after a dead letter, `$after` decides about its key', async ({ after, next }) => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({ kind: 'a1', orderKey: 'a' }, { kind: 'a2', orderKey: 'a' }));
      const held = await claimOne(store);
      expect(await store.bury(held, { error: 'broken', afterDeadLetter: after })).toBe('recorded');
      await store.receive(receipt({ kind: 'a3', orderKey: 'a' }));
      expect((await claim(store)).map(({ event }) => event.kind)).toEqual(next);
      expect(await store.get(held.event.id)).toMatchObject({ state: 'dead', attempts: 1 });
    });

    test('a released event is claimed again, before the others of its key', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({ kind: 'a1', orderKey: 'a' }, { kind: 'a2', orderKey: 'a' }));
      const held = await claimOne(store);
      await store.release([held]);
      const again = await claimOne(store);
      expect(again.event).toMatchObject({ kind: 'a1', attempts: 0, interruptions: 0 });
      expect(await store.complete(held, harness.effect('late'))).toBe('lost');
      expect(await harness.effects()).toEqual([]);
    });

    test('a skipped event that is retried goes before the later events of its key', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(
        receipt(
          { kind: 'a1', orderKey: 'a' },
          { kind: 'a2', orderKey: 'a' },
          { kind: 'a3', orderKey: 'a' },
        ),
      );
      await store.bury(await claimOne(store), { error: 'broken', afterDeadLetter: 'skip' });
      const second = await claimOne(store);
      expect(await store.retry({ state: 'dead' }, 'ana')).toBe(1);
      expect(await claim(store)).toEqual([]);
      await store.fail(second, { error: 'broken', at: clock.now });
      const order: (string | undefined)[] = [];
      for (let count = 0; count < 3; count += 1) {
        const [held, ...furtherClaims] = await claim(store);
        if (held === undefined) break;
        expect(furtherClaims).toEqual([]);
        order.push(held.event.kind);
        await store.complete(held, harness.none);
      }
      expect(order).toEqual(['a1', 'a2', 'a3']);
    });
  });

  describe(`${name}: claims`, () => {
    test('two workers never claim the same event', async () => {
      await using harness = await open();
      await harness.store.receive(receipt(...Array.from({ length: 50 }, () => ({}))));
      const stores = [harness.store, harness.another()];
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => claim(stores[index % 2] ?? harness.store, 4)),
      );
      const ids = claims.flat().map(({ event }) => event.id);
      expect(ids).toHaveLength(50);
      expect(new Set(ids).size).toBe(50);
    });

    test('the payload of a delivery with many events is read once', async () => {
      await using harness = await open();
      const many = receipt(...Array.from({ length: 25 }, () => ({})));
      const keyed = receipt(...Array.from({ length: 5 }, () => ({ orderKey: 'a' })));
      await harness.store.receive(keyed);
      await harness.store.receive(many);
      const bodies = new Map<string, Set<Uint8Array>>();
      const claimed: string[] = [];
      for (let round = 0; round < 5; round++)
        for (const { event, token } of await claim(harness.store)) {
          claimed.push(event.id);
          expect(String(Buffer.from(event.body))).toBe(event.headers[0]?.[1]);
          const of = bodies.get(event.receiptId) ?? new Set();
          bodies.set(event.receiptId, of.add(event.body));
          await harness.store.complete({ event, token }, harness.none);
        }
      expect([bodies.get(many.id)?.size, bodies.get(keyed.id)?.size]).toEqual([1, 1]);
      expect(new Set(claimed).size).toBe(30);
    });

    test('the claim of a killed worker is free within 30 s and does not count as an attempt', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({ kind: 'a1', orderKey: 'a' }, { kind: 'a2', orderKey: 'a' }));
      const killed = await claimOne(store);
      clock.now += 19_999;
      expect(await claim(store)).toEqual([]);
      clock.now += 10_001;
      const next = await claimOne(harness.another());
      expect(next.event).toMatchObject({ kind: 'a1', attempts: 0, interruptions: 1 });
      expect(await store.complete(killed, harness.effect('late'))).toBe('lost');
      expect(await store.fail(killed, { error: 'late', at: 0 })).toBe('lost');
      expect(await store.bury(killed, { error: 'late', afterDeadLetter: 'skip' })).toBe('lost');
      expect(await store.extend([killed, next], 20_000)).toEqual([killed.event.id]);
      expect(await store.complete(next, harness.effect('once'))).toBe('completed');
      expect(await harness.effects()).toEqual(['once']);
    });

    test('a renewed claim is held', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({}));
      const held = await claimOne(store);
      for (let count = 0; count < 5; count += 1) {
        clock.now += 15_000;
        expect(await store.extend([held], 20_000)).toEqual([]);
        expect(await claim(harness.another())).toEqual([]);
      }
    });

    test('a lease above the maximum is refused', async () => {
      await using harness = await open();
      await expect(
        harness.store.claim({ owner: 'worker', maxEvents: 1, leaseMs: 30_001 }),
      ).rejects.toMatchObject({ code: 'invalid-option' });
    });

    test('after the clock is set back, claims and failed events are free', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({ kind: 'killed' }, { kind: 'failed' }));
      const [, failed] = await claim(store);
      if (failed === undefined) throw new Error('expected two claims');
      await store.fail(failed, { error: 'broken', at: clock.now + 1000 });
      clock.now -= 3_600_000;
      const kinds = (await claim(store)).map(({ event }) => event.kind);
      expect(new Set(kinds)).toEqual(new Set(['failed', 'killed']));
      expect(kinds).toHaveLength(2);
    });
  });

  describe(`${name}: effects`, () => {
    test('an effect that fails is undone, and its event can be tried again', async () => {
      await using harness = await open();
      const { store, clock } = harness;
      await store.receive(receipt({}));
      const held = await claimOne(store);
      const error = new Error('refused');
      await expect(store.complete(held, harness.failingEffect('first', error))).rejects.toBe(error);
      expect(await harness.effects()).toEqual([]);
      expect(await store.fail(held, { error: 'refused', at: clock.now })).toBe('recorded');
      expect(await store.complete(await claimOne(store), harness.effect('second'))).toBe(
        'completed',
      );
      expect(await harness.effects()).toEqual(['second']);
    });

    test('the completion of an event runs its effect once', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({}));
      const held = await claimOne(store);
      expect(await store.complete(held, harness.effect('once'))).toBe('completed');
      expect(await store.complete(held, harness.effect('twice'))).toBe('lost');
      expect(await harness.effects()).toEqual(['once']);
    });

    test('effects run while deliveries are stored', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt(...Array.from({ length: 30 }, () => ({}))));
      const claims = await claim(store, 30);
      const receiver = harness.another();
      const results = await Promise.all([
        ...claims.map((held) => store.complete(held, harness.effect(held.event.id))),
        ...Array.from({ length: 30 }, () => receiver.receive(receipt({}))),
      ]);
      expect(results.filter((result) => result === 'completed')).toHaveLength(30);
      expect(new Set(await harness.effects())).toEqual(
        new Set(claims.map(({ event }) => event.id)),
      );
    });
  });

  describe(`${name}: versions`, () => {
    test('a newer schema is created while the store serves', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.receive(receipt({ orderKey: 'a' }));
      const added = new AbortController();
      const serve = async (from: number): Promise<void> => {
        for (let count = from; count === from || !added.signal.aborted; count += 1) {
          await store.receive(receipt({ orderKey: 'a' }));
          const held = await claimOne(store);
          expect(await store.complete(held, harness.effect(`${count}`))).toBe('completed');
        }
      };
      const serving = serve(0);
      await harness.addVersion();
      added.abort();
      await serving;
      // The store that is open and one that is opened now have the first version.
      await serve(1000);
      await harness.another().complete(await claimOne(store), harness.none);
      expect(await store.stats()).toMatchObject({ depth: 0 });
    });

    test('a schema that is too new is refused', async () => {
      await using harness = await open();
      await harness.addVersion();
      await harness.addVersion();
      await expect(harness.another().stats()).rejects.toMatchObject({ code: 'schema-version' });
    });
  });
}
