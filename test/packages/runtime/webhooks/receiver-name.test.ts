import { describe, expect, test } from 'vitest';
import {
  createMemoryReplayStore,
  createReceiver,
  unauthenticated,
  type Catalogue,
  type StoredDelivery,
  type Reactions,
  type ReceiverOptions,
  type StoringOptions,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { nameOfReceiver } from '../../../../packages/runtime/webhooks/receiver.ts';
import { orderedKinds } from './ordered-kinds.ts';

const shop: Catalogue = { ...orderedKinds, name: '@shop/webhooks:shop' };
const bank: Catalogue = { ...orderedKinds, name: '@bank/webhooks:bank' };

interface Receiving {
  readonly handled: unknown[];
  readonly send: (id: string) => Promise<string>;
}

/** Creates a receiver that counts what it handles. */
function create(
  catalogue: Catalogue,
  options: Partial<ReceiverOptions> | Partial<StoringOptions<never>>,
): Receiving {
  const handled: unknown[] = [];
  const handlers = {
    on: {},
    otherwise: { rest: ({ data }: { data: unknown }) => handled.push(data) },
    onInvalid: () => undefined,
  };
  const receive = createReceiver(catalogue, {
    authenticate: unauthenticated(),
    ...('inbox' in options ? {} : handlers),
    ...options,
  } as ReceiverOptions & Reactions);
  return {
    handled,
    async send(id) {
      const { reason } = await receive({
        method: 'POST',
        target: '/docked',
        headers: (name) => (name === 'x-delivery' ? [id] : []),
        read: () => Buffer.from(`{"id":"${id}","state":1}`),
      });
      return reason;
    },
  };
}

describe('receivers that share a replay store', () => {
  test.each([
    ['of two contracts', shop, {}, bank, {}],
    ['of two tenants of one contract', shop, { tenant: 'a' }, shop, { tenant: 'b' }],
    ['of a contract and its tenant', shop, {}, shop, { tenant: 'a' }],
    ['of one contract under two names', shop, { name: 'one' }, shop, { name: 'two' }],
    ['of two contracts with one tenant', shop, { tenant: 'a' }, bank, { tenant: 'a' }],
  ] as const)('%s do not take the events of one another', async (_, one, ofOne, two, ofTwo) => {
    const replayStore = createMemoryReplayStore();
    const first = create(one, { ...ofOne, replayStore });
    const second = create(two, { ...ofTwo, replayStore });
    expect(await first.send('inv-1')).toBe('handled');
    expect(await second.send('inv-1')).toBe('handled');
    expect(await first.send('inv-1')).toBe('duplicate');
    expect(await second.send('inv-1')).toBe('duplicate');
    expect([first.handled, second.handled]).toEqual([[expect.anything()], [expect.anything()]]);
  });

  test('in several processes of one receiver, an event is handled once', async () => {
    const replayStore = createMemoryReplayStore();
    const one = create({ ...shop }, { replayStore, tenant: 'a' });
    const two = create({ ...shop, kinds: new Map(shop.kinds) }, { replayStore, tenant: 'a' });
    expect(await one.send('inv-1')).toBe('handled');
    expect(await two.send('inv-1')).toBe('duplicate');
  });

  test('a store gets the key of an earlier version beside that of the receiver', async () => {
    const claims: (readonly unknown[])[] = [];
    const memory = createMemoryReplayStore();
    const replayStore = {
      ...memory,
      claim: (...args: Parameters<typeof memory.claim>) => {
        claims.push(args);
        return memory.claim(...args);
      },
    };
    await create(shop, { replayStore, tenant: 'a' }).send('inv-1');
    const [[key, , , formerKey] = []] = claims;
    expect(formerKey).toMatch(/^[\w+/=-]{40,64}$/u);
    expect(key).toBe(`${shop.name}#a ${String(formerKey)}`);
  });
});

describe('receivers that share an inbox', () => {
  test('give their events keys of their own, and those of an earlier version', async () => {
    const stored: StoredDelivery[] = [];
    const inbox = {
      receive: async (delivery: StoredDelivery) => {
        stored.push(delivery);
        return await Promise.resolve({ status: 'stored' as const });
      },
    };
    for (const receiving of [
      create(shop, { inbox }),
      create(bank, { inbox }),
      create(shop, { inbox, tenant: 'a' }),
    ])
      expect(await receiving.send('inv-1')).toBe('stored');
    const events = stored.map((delivery) => delivery.events[0]);
    expect(new Set(events.map((event) => event?.identity)).size).toBe(3);
    expect(events.map((event) => event?.orderKey)).toEqual([
      '@shop/webhooks:shop inv-1',
      '@bank/webhooks:bank inv-1',
      '@shop/webhooks:shop#a inv-1',
    ]);
    expect(new Set(events.map((event) => event?.formerIdentity)).size).toBe(1);
    expect(new Set(events.map((event) => event?.formerOrderKey))).toEqual(new Set(['inv-1']));
    expect(stored.map(({ headers }) => headers.at(-1)?.[1])).toEqual([
      '@shop/webhooks:shop',
      '@bank/webhooks:bank',
      '@shop/webhooks:shop#a',
    ]);
  });

  test('name no header that a sender could write as the receiver', () => {
    const inbox = { receive: async () => await Promise.resolve({ status: 'stored' as const }) };
    for (const name of [':receiver', 'x y', 'x\n', ''])
      expect(() => create(shop, { inbox, stored: { headers: [name] } })).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
  });
});

describe('a name', () => {
  test.each([
    ['', 'a'],
    ['a b', 'a'],
    ['a\n', 'a'],
    ['a\u00a0', 'a'],
    ['a#b', undefined],
    ['a', ''],
    ['a', 'b c'],
    ['a', 'undefined'],
    ['a', 'null'],
    ['a', '[object Object]'],
    ['a', 7],
    ['a', null],
    ['a', 'x'.repeat(201)],
  ])('%j with the tenant %j is refused', (name, tenant) => {
    expect(() => nameOfReceiver(shop, { name, tenant: tenant as never })).toThrow(
      expect.objectContaining({ name: 'WebhookError', code: 'invalid-option' }),
    );
  });

  test('of two different pairs of a receiver and a tenant is never the same', () => {
    expect(nameOfReceiver(shop, {})).toBe(shop.name);
    expect(nameOfReceiver(shop, { name: 'a', tenant: 'b#c' })).toBe('a#b#c');
    expect(() => nameOfReceiver(shop, { name: 'a#b', tenant: 'c' })).toThrow('without `#`');
    expect(nameOfReceiver({ name: 'laden-für-bücher' }, { tenant: 'Ä' })).toBe(
      'laden-für-bücher#Ä',
    );
  });
});
