import { describe, expect, it } from 'vitest';
import type { Json } from 'countersign/kit';
import type { ServedNotification, Service } from '../../../../packages/simulator/src/index.ts';
import { createTestDeliverer, parcelService } from './parcel-service.ts';
import { receive } from './receive.ts';

const [sent] = parcelService.notifications;
if (sent === undefined) throw new Error('The fixture has a notification.');

/** A service with one notification, whose identity and check are given. */
function serviceOf(
  value: Json,
  dedupeBy: ServedNotification['dedupeBy'],
  accepts: (value: unknown) => boolean = () => true,
): Service {
  return {
    ...parcelService,
    notifications: [
      {
        ...(sent as ServedNotification),
        name: 'paid',
        label: { path: '/paid', parameters: [] },
        wire: 'paid',
        security: [],
        openCodes: [],
        examples: [{ name: 'one', value }],
        invalidExamples: [],
        ...(dedupeBy === undefined ? {} : { dedupeBy }),
      },
    ],
    checks: new Map([['paid', { accepts, violations: () => [] }]]),
  };
}

const read = (body: string): { readonly [name: string]: Json } => JSON.parse(body);

describe('the identity of planned deliveries', () => {
  it.each<[string, Json]>([
    ['a short id', 'evt_1'],
    ['a word', 'text'],
    ['one letter', 'a'],
    ['nothing', ''],
    ['words', 'an order of today'],
    ['a UUID', '6f1a2b3c-4d5e-6f70-8192-a3b4c5d6e7f8'],
    ['digits', '7'],
    ['a date', '2026-11-23'],
    ['a number', 1],
    ['a large number', 9_007_199_254_740_991],
    ['an object', { year: 'x', number: 1 }],
  ])('is fresh for %s', (_, id) => {
    const description = serviceOf({ id, amount: 1 }, ['$request.body#/id']);
    const plan = createTestDeliverer({}, description).plan({ count: 300 });
    const ids = plan.map(({ body }) => JSON.stringify(read(body)['id']));
    expect(new Set([...ids, JSON.stringify(id)]).size).toBe(301);
    expect(plan.some(({ isDuplicate }) => isDuplicate)).toBe(false);
    expect(plan.every(({ body }) => read(body)['amount'] === 1)).toBe(true);
  });

  it.each(['cancellation-7', 'order-1001', 'a', '7', 'A-12345678'])(
    'is that of no other run where the contract accepts enough values, as for %s',
    (id) => {
      const description = serviceOf({ id }, ['$request.body#/id']);
      const runs = [1, 2, 3, 4].map((seed) =>
        createTestDeliverer({ seed }, description)
          .plan({ count: 500 })
          .map(({ body }) => body),
      );
      expect(new Set(runs.flat()).size).toBe(2000);
    },
  );

  it('is fresh beside other identifiers, which are other ones too', () => {
    const description = serviceOf({ id: 'evt_1', order: 'order-1001' }, ['$request.body#/id']);
    const bodies = createTestDeliverer({}, description)
      .plan({ count: 50 })
      .map(({ body }) => read(body));
    expect(bodies.length).toBe(50);
    for (const { id, order } of bodies) {
      expect(id).toMatch(/^evt_\d{15}$/u);
      expect(order).toMatch(/^order-\d{4}$/u);
    }
    expect(new Set(bodies.map(({ order }) => order)).size).toBeGreaterThan(10);
  });

  it('is equal wherever the event refers to it', () => {
    const value = { id: 'evt_1', links: ['evt_1'], other: 'evt_2' };
    const description = serviceOf(value, ['$request.body#/id']);
    for (const { body } of createTestDeliverer({}, description).plan({ count: 20 })) {
      const { id, links, other } = read(body);
      expect(links).toEqual([id]);
      expect(other).toBe('evt_2');
    }
  });

  it.each<[string, readonly string[]]>([
    ['several values', ['$request.body#/kind', '$request.body#/id']],
    ['the whole body', ['$request.body']],
  ])('is fresh for %s', (_, dedupeBy) => {
    const description = serviceOf({ kind: 'paid', id: 'x' }, dedupeBy);
    const plan = createTestDeliverer({}, description).plan({ count: 100 });
    expect(new Set(plan.map(({ body }) => body)).size).toBe(100);
  });

  it('is fresh in each element of a list, and in another wire format', () => {
    const value = { pix: [{ id: 'a' }, { id: 'b' }] };
    for (const dedupeBy of [['$request.body#/pix/*/id'], ['$request.body#/id']]) {
      const plan = createTestDeliverer({}, serviceOf(value, dedupeBy)).plan({ count: 50 });
      expect(new Set(plan.map(({ body }) => body)).size).toBe(50);
      const elements = plan.flatMap(({ body }) => (JSON.parse(body) as typeof value).pix);
      expect(new Set(elements.map(({ id }) => id)).size).toBe(100);
    }
  });

  it('follows what the schema accepts', () => {
    const accepts = (value: unknown): boolean =>
      /^"P-\d{4}"$/u.test(JSON.stringify((value as { id: Json }).id));
    const description = serviceOf({ id: 'P-0001' }, ['$request.body#/id'], accepts);
    const plan = createTestDeliverer({}, description).plan({ count: 50 });
    expect(new Set(plan.map(({ body }) => body)).size).toBe(50);
  });

  it('is reported where the contract accepts no other value', () => {
    const accepts = (value: unknown): boolean =>
      ['"A"', '"B"'].includes(JSON.stringify((value as { id: Json }).id));
    const description = serviceOf({ id: 'A' }, ['$request.body#/id'], accepts);
    const plan = createTestDeliverer({}, description).plan({ count: 5 });
    expect(plan.filter(({ isDuplicate }) => isDuplicate === true).length).toBeGreaterThanOrEqual(3);
  });

  it('is the answer to an open question', () => {
    const question = {
      id: 'identity',
      optionName: 'identity',
      question: 'What identifies a delivery?',
      choices: [
        { name: 'none', meaning: 'Nothing.', value: [] },
        { name: 'by-id', meaning: 'The id.', value: ['$request.body#/id'] },
      ],
    };
    const base = serviceOf({ id: 'text' }, { unstated: 'identity' });
    const description = { ...base, unstated: [...base.unstated, question] };
    const countOf = (answers: Readonly<Record<string, string>>): number => {
      const plan = createTestDeliverer({ answers }, description).plan({ count: 10 });
      return new Set(plan.map(({ body }) => body)).size;
    };
    expect(countOf({ identity: 'none' })).toBe(1);
    expect(countOf({ identity: 'by-id' })).toBe(10);
  });

  it('is fresh in the deliveries of a burst', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer(
      { to: url },
      serviceOf({ id: 'text' }, ['$request.body#/id']),
    );
    await deliverer.trigger('paid', { faults: ['burst'] });
    await deliverer.settled();
    expect(received.length).toBeGreaterThan(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(received.length);
  });
});

describe('the identity of triggered deliveries', () => {
  const start = async () => {
    const { url, received } = await receive();
    const description = serviceOf({ id: 'evt_1' }, ['$request.body#/id']);
    return { deliverer: createTestDeliverer({ to: url }, description), received };
  };

  it('is that of the example first, and then fresh', async () => {
    const { deliverer, received } = await start();
    for (let count = 0; count < 20; count += 1) await deliverer.trigger('paid');
    expect(received[0]?.body).toBe('{"id":"evt_1"}');
    expect(new Set(received.map(({ body }) => body)).size).toBe(20);
    expect(deliverer.attempts().some(({ isRepeated }) => isRepeated)).toBe(false);
  });

  it('is as it was given, and reported as the same event', async () => {
    const { deliverer, received } = await start();
    for (const options of [
      { payload: { id: 'a' } },
      { rawBody: '{"id":"a"}' },
      { data: { id: 'a' } },
    ])
      await deliverer.trigger('paid', options);
    expect(received.map(({ body }) => read(body))).toEqual([{ id: 'a' }, { id: 'a' }, { id: 'a' }]);
    expect(deliverer.attempts().map(({ isRepeated }) => isRepeated)).toEqual([
      undefined,
      true,
      true,
    ]);
  });

  it('keeps what was given beside it', async () => {
    const { url, received } = await receive();
    const description = serviceOf({ id: 'evt_1', account: 'AB12345678' }, ['$request.body#/id']);
    const deliverer = createTestDeliverer({ to: url }, description);
    for (let count = 0; count < 3; count += 1)
      await deliverer.trigger('paid', { data: { account: 'CD12345678' } });
    const bodies = received.map(({ body }) => read(body));
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(3);
    expect(new Set(bodies.map(({ account }) => account))).toEqual(new Set(['CD12345678']));
  });

  it('stays the same for a delivery that is sent again, which is reported', async () => {
    const { deliverer, received } = await start();
    const { attempts } = await deliverer.trigger('paid');
    const [entry] = attempts;
    if (entry === undefined) throw new Error('There is an attempt.');
    const again = await deliverer.sendAgain(entry);
    expect(again.attempts[0]?.isRepeated).toBe(true);
    expect(received[1]?.body).toBe(received[0]?.body);
  });
});

describe('an identity outside of the body', () => {
  const inHeader = serviceOf({ id: 'a' }, ['$request.header.X-Id']);

  it('is a fresh header in each planned delivery, and the same for the same seed', async () => {
    const play = async (): Promise<readonly (string | undefined)[]> => {
      const { url, received } = await receive();
      const deliverer = createTestDeliverer({ to: url }, inHeader);
      const played = deliverer.play(deliverer.plan({ count: 5, faults: {} }));
      await deliverer.clock.advance(1);
      await played;
      return received.map(({ headers }) => headers['x-id']?.toString());
    };
    const ids = await play();
    expect(new Set(ids).size).toBe(5);
    expect(ids).not.toContain(undefined);
    expect(await play()).toEqual(ids);
  });

  it('is a fresh header in each triggered delivery, and the same in its other attempts', async () => {
    const { url, received } = await receive((_, index) => (index === 0 ? 500 : 200));
    const deliverer = createTestDeliverer(
      { to: url, retry: { attempts: 2, firstDelayMs: 1, jitter: 0 } },
      inHeader,
    );
    await deliverer.trigger('paid');
    await deliverer.clock.advance(1);
    await deliverer.trigger('paid', { faults: ['burst'] });
    await deliverer.settled();
    const [first, second, ...burstIds] = received.map(({ headers }) => headers['x-id']);
    expect(second).toBe(first);
    expect(burstIds.length).toBeGreaterThan(1);
    expect(new Set([first, ...burstIds]).size).toBe(burstIds.length + 1);
  });

  it('is as it was given, and reported as the same event', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url }, inHeader);
    for (let count = 0; count < 2; count += 1)
      await deliverer.trigger('paid', { headers: { 'x-id': '7' } });
    expect(received.map(({ headers }) => headers['x-id'])).toEqual(['7', '7']);
    expect(deliverer.attempts().map(({ isRepeated }) => isRepeated)).toEqual([undefined, true]);
    const authentication = { headers: { 'X-Id': '8' } };
    const fixed = createTestDeliverer({ authentication }, inHeader);
    const plan = fixed.plan({ count: 3 });
    expect(plan.map(({ isDuplicate }) => isDuplicate)).toEqual([undefined, true, true]);
  });

  it('is a fresh parameter of the query', () => {
    const base = serviceOf({ id: 'a' }, ['$request.query.id']);
    const notifications = base.notifications.map((notification) => ({
      ...notification,
      encoding: 'query' as const,
    }));
    const plan = createTestDeliverer({}, { ...base, notifications }).plan({ count: 20 });
    expect(new Set(plan.map(({ path }) => path)).size).toBe(20);
  });
});
