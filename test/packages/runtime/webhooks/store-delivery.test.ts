import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  allOf,
  anyOf,
  atPublicUrl,
  createReceiver,
  sharedSecret,
  unauthenticated,
  type DeliveryRecord,
  type Forward,
  type StoredDelivery,
  type Outcome,
  type CommonStoringOptions,
  type Stored,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { queryValues, splitTarget } from '../../../../packages/runtime/webhooks/contract.ts';
import { orderedKinds } from './ordered-kinds.ts';

const digest = /^[\w+/=-]{40,}$/u;
const id = /^[\w-]{43}$/u;

interface Sent {
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a receiver that stores in memory. `receive` says what becomes of a delivery. */
function createStorerAt(
  options: Partial<CommonStoringOptions<never>> = {},
  place: 'inbox' | 'forward' = 'inbox',
  receive: (delivery: StoredDelivery, signal?: AbortSignal) => Promise<Stored> = async () => ({
    status: 'stored',
  }),
): {
  readonly stored: StoredDelivery[];
  readonly records: DeliveryRecord[];
  send(body: string | Uint8Array, sent?: Sent): Promise<Outcome>;
} {
  const stored: StoredDelivery[] = [];
  const records: DeliveryRecord[] = [];
  const store = (delivery: StoredDelivery, signal?: AbortSignal): Promise<Stored> => {
    stored.push(delivery);
    return receive(delivery, signal);
  };
  const common = {
    authenticate: unauthenticated(),
    onEvent: (record: DeliveryRecord) => records.push(record),
    ...options,
  };
  const receiver = createReceiver(
    orderedKinds,
    place === 'inbox' ? { ...common, inbox: { receive: store } } : { ...common, forward: store },
  );
  return {
    stored,
    records,
    send: async (body, { target = '/docked', headers = {} } = {}) =>
      await receiver({
        method: 'POST',
        target,
        headers: (name) => (name in headers ? [headers[name] ?? ''] : []),
        read: () => Buffer.from(body),
      }),
  };
}

describe.each(['inbox', 'forward'] as const)('a receiver with `%s`', (place) => {
  const createStorer = (...[options, , receive]: Partial<Parameters<typeof createStorerAt>>) =>
    createStorerAt(options, place, receive);

  test.each([
    ['/hooks/a%20key/docked?port=Lima', '/hooks/docked?port=Lima'],
    ['/hooks/a%20key//docked', '/hooks//docked'],
    ['/new/docked', '/docked'],
    ['/old/new/docked', '/old/docked'],
  ])('stores %s without the secret in the path', async (target, kept) => {
    const inPath = sharedSecret({ path: true }, ['a key', 'new']);
    const inHeader = sharedSecret({ header: 'x-key' }, 'key');
    for (const authenticate of [
      inPath,
      allOf(inPath, unauthenticated()),
      anyOf(inHeader, inPath),
    ]) {
      const { stored, records, send } = createStorer({ authenticate });
      await send('{"id":"gull","state":1}', { target });
      expect(stored).toMatchObject([{ target: kept, verdict: 'valid' }]);
      expect(JSON.stringify([stored, records])).not.toMatch(/a( |%20)key|new/u);
    }
  });

  test('verifies a signature over the public URL with the secret in it, and stores neither', async () => {
    const called: string[] = [];
    const signed = 'https://ports.example/api/hooks/a%20key/docked';
    const signature = atPublicUrl('https://ports.example/api', ['$url.path'], ({ url }) => {
      called.push(url);
      return url === signed;
    });
    const inPath = sharedSecret({ path: true }, 'a key');
    for (const authenticate of [allOf(inPath, signature), allOf(signature, inPath)]) {
      const { stored, records, send } = createStorer({ authenticate });
      await send('{"id":"gull","state":1}', { target: '/hooks/a%20key/docked' });
      expect(called.splice(0)).toEqual([signed]);
      expect(stored).toMatchObject([{ target: '/hooks/docked', verdict: 'valid' }]);
      for (const target of ['/hooks/another/docked', '/hooks/docked'])
        expect(await send('{"id":"gull","state":1}', { target })).toMatchObject({ status: 401 });
      expect(JSON.stringify([stored, records])).not.toMatch(/a( |%20)key|another/u);
      called.length = 0;
    }
  });

  test('finds a label directly after the mount path and a secret', async () => {
    const authenticate = sharedSecret({ path: true }, 'a key');
    const { records, send } = createStorer({ authenticate, mount: '/hooks' });
    for (const target of ['/hooks/a%20key/docked', '/hooks/a%20key//docked'])
      await send('{"id":"gull","state":1}', { target });
    expect(records.map(({ kinds }) => kinds)).toEqual([['docked'], ['docked']]);
  });

  test('stores an authentic delivery with what the contract reads, and then acknowledges it', async () => {
    const { stored, records, send } = createStorer();
    const { status, reason } = await send('{"id":"gull","state":1}', {
      target: '/hooks/docked?token=secret&port=Lima',
      headers: { 'x-delivery': 'D1', authorization: 'Bearer secret', 'x-other': 'o' },
    });
    expect([status, reason]).toEqual([200, 'stored']);
    expect(stored).toEqual([
      {
        id: stored[0]?.events[0]?.id,
        receivedAt: expect.any(Number),
        method: 'POST',
        target: '/hooks/docked?port=Lima',
        headers: [
          ['x-delivery', 'D1'],
          [':receiver', 'test'],
        ],
        body: Buffer.from('{"id":"gull","state":1}'),
        verdict: 'valid',
        orderKey: 'test gull',
        events: [
          {
            id: expect.stringMatching(id),
            kind: 'docked',
            orderKey: 'test gull',
            formerOrderKey: 'gull',
            identity: `test ${stored[0]?.events[0]?.formerIdentity}`,
            formerIdentity: expect.stringMatching(digest),
          },
        ],
      },
    ]);
    expect(records).toMatchObject([{ reason: 'stored', status: 200, kinds: ['docked'] }]);
  });

  test.each([
    '/docked?x=1&?port=Lima',
    '/docked??port=Lima&x=1',
    '/docked?%3Fport=Lima',
    '/docked?x&port=Lima&?port=Oslo',
  ])('the query of %s has the same meaning after it is stored', async (target) => {
    const { stored, send } = createStorer();
    await send('{"id":"gull","state":1}', { target });
    const portsIn = (text: string) => queryValues(splitTarget(text).query, 'port');
    expect(portsIn(stored[0]?.target ?? '')).toEqual(portsIn(target));
    // `URL` is another implementation of the same rules.
    expect(portsIn(target)).toEqual(new URL(target, 'http://host').searchParams.getAll('port'));
  });

  test('stores headers and query parameters that the application names', async () => {
    const { stored, send } = createStorer({ stored: { headers: ['X-Other'], query: ['page'] } });
    await send('{"id":"gull","state":1}', {
      target: '/docked?page=2&page=3&token=secret',
      headers: { 'x-other': 'o' },
    });
    expect(stored).toMatchObject([
      {
        target: '/docked?page=2&page=3',
        headers: [
          ['x-other', 'o'],
          [':receiver', 'test'],
        ],
      },
    ]);
  });

  test('does not store a delivery that is not authentic', async () => {
    const { stored, send } = createStorer({ authenticate: () => false });
    expect((await send('{}')).status).toBe(401);
    expect(stored).toEqual([]);
  });

  test('stores one event for each element of a list, with its own key', async () => {
    const { stored, send } = createStorer();
    await send('{"ships":[{"id":"gull","state":1},{"id":"tern","state":2}]}', {
      target: '/docked',
    });
    expect(stored[0]?.events).toEqual([
      {
        id: `${stored[0]?.id}-0`,
        kind: 'docked',
        orderKey: 'test gull',
        formerOrderKey: 'gull',
      },
      {
        id: `${stored[0]?.id}-1`,
        kind: 'docked',
        orderKey: 'test tern',
        formerOrderKey: 'tern',
      },
    ]);
    expect(stored[0]).not.toHaveProperty('orderKey');
  });

  test.each([
    ['a violated schema', '{"id":"gull"}', 'stored', 'schema', 'invalid', 'gull'],
    ['a duplicate name', '{"id":1,"id":2}', 'stored-malformed', 'duplicate-key', 'malformed-body'],
    ['no JSON', 'id=gull', 'stored-malformed', 'not-json', 'malformed-body'],
    ['no UTF-8', Buffer.from([0xff]), 'stored-malformed', 'not-utf-8', 'malformed-body'],
  ])(
    'stores an authentic delivery with %s as one event',
    async (_what, body, reason, detail, verdict, orderKey?: string) => {
      const { stored, records, send } = createStorer();
      expect(await send(body)).toMatchObject({ status: 200, reason });
      expect(records).toMatchObject([{ reason, detail }]);
      expect(stored).toMatchObject([{ verdict, body: Buffer.from(body) }]);
      const formerIdentity = stored[0]?.events[0]?.formerIdentity;
      const keys = {
        id: expect.stringMatching(id) as unknown,
        orderKey: `test ${orderKey}`,
        formerOrderKey: orderKey,
        identity: `test ${formerIdentity}`,
        formerIdentity: expect.stringMatching(digest) as unknown,
      };
      expect(stored[0]?.events).toEqual([orderKey === undefined ? { id: stored[0]?.id } : keys]);
    },
  );

  test('stores a delivery whose path servers resolve differently', async () => {
    const { stored, send } = createStorer();
    expect((await send('{"id":"gull","state":1}', { target: '/a/../docked' })).reason).toBe(
      'stored-malformed',
    );
    expect(stored).toMatchObject([{ target: '/a/../docked', verdict: 'malformed-path' }]);
  });

  test('keeps the keys of an event with a number that no double holds', async () => {
    const { stored, send } = createStorer();
    await send('{"id":12345678901234567890,"state":1}');
    expect(stored).toMatchObject([
      { verdict: 'valid', events: [{ kind: 'docked', formerOrderKey: '12345678901234567890' }] },
    ]);
  });

  test.each([
    ['of two values', { target: '/sailed?port=Lima' }, '"gull"'],
    ['that is long', {}, JSON.stringify('x'.repeat(201))],
    ['with unusual characters', {}, '"gull\\u0000"'],
    ['that is not a scalar', {}, '{"a":1}'],
  ])('uses a digest as an order key %s', async (_what, sent, id) => {
    const { stored, send } = createStorer();
    await send(`{"id":${id},"state":1}`, sent);
    await send(`{"state":2,"id":${id}}`, sent);
    const keys = stored.map(({ events }) => events[0]?.formerOrderKey);
    expect(keys).toEqual([expect.stringMatching(digest), keys[0]]);
  });

  test.each(['{"id":null,"state":1}', '{"state":1}'])(
    'gives an event without values no order key (%s)',
    async (body) => {
      const { stored, send } = createStorer();
      await send(body);
      expect(stored[0]?.events).toEqual([{ id: expect.any(String), kind: 'docked' }]);
    },
  );

  test('takes both keys from the application where it states them', async () => {
    const { stored, send } = createStorer({
      orderBy: ({ data }: { data: { fleet?: string } }) => data.fleet,
      identifyBy: ({ data }: { data: { id: string } }) => data.id,
    });
    const body = '{"id":"gull","state":1,"fleet":"north"}';
    await send(body, { headers: { 'x-delivery': 'D1' } });
    await send(body, { headers: { 'x-delivery': 'D2' } });
    await send('{"id":"tern","state":1}');
    const [first, second, third] = stored.map(({ events }) => events[0]);
    expect(first?.orderKey).toBe('test north');
    expect(second).toEqual(first);
    expect(third?.orderKey).toBeUndefined();
    expect(third?.identity).not.toBe(first?.identity);
  });

  test('acknowledges a duplicate', async () => {
    const { send } = createStorer({}, place, async () => ({ status: 'duplicate' }));
    expect(await send('{"id":"gull","state":1}')).toMatchObject({
      status: 200,
      reason: 'duplicate',
    });
  });

  test.each([
    ['fails', async () => await Promise.reject(new Error('The disk is full.'))],
    [
      'fails at once',
      () => {
        throw new Error('The disk is full.');
      },
    ],
    ['returns something else', async () => ({ status: 'OK' })],
    ['never answers', async () => await new Promise(() => undefined)],
    ['answers too late', async () => await sleep(100, { status: 'stored' })],
  ])('answers 503 where it %s', async (_how, receive) => {
    const { send, records } = createStorer({ storeTimeoutMs: 20 }, place, receive as never);
    expect(await send('{"id":"gull","state":1}')).toMatchObject({
      status: 503,
      reason: 'store-failed',
    });
    expect(records).toHaveLength(1);
  });

  test('has a configurable response for what is malformed', async () => {
    const { send } = createStorer({ responses: { 'stored-malformed': 400 } });
    expect((await send('id=gull')).status).toBe(400);
  });

  test.each([
    'on',
    'otherwise',
    'onInvalid',
    'replayStore',
    'leaseMs',
    'handlerTimeoutMs',
    'numbers',
  ])('refuses the option %s', (name) => {
    expect(() => createStorer({ [name]: undefined })).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(name) }),
    );
  });
});

describe('the id of a stored delivery', () => {
  const idsOf = async (
    sends: readonly (readonly [body: string, sent?: Sent])[],
    options: Partial<CommonStoringOptions<never>> = {},
  ): Promise<readonly string[]> => {
    const { stored, send } = createStorerAt(options);
    for (const [body, sent] of sends) await send(body, sent);
    return stored.map(({ id: ofDelivery }) => ofDelivery);
  };
  const first = { headers: { 'x-delivery': 'D1' } };
  const gull = '{"id":"gull","state":1}';

  test('is equal for equal events of one receiver, and for no other', async () => {
    const [one, two, three] = await idsOf([
      [gull, first],
      [gull.replace('1', '2'), first],
      [gull, { headers: { 'x-delivery': 'D2' } }],
    ]);
    expect([two, three === one]).toEqual([one, false]);
    const [ofOther] = await idsOf([[gull, first]], { name: 'other' });
    expect(ofOther).not.toBe(one);
  });

  test('is another one for each delivery, where nothing states what makes two the same', async () => {
    const sailed = { target: '/sailed' };
    const ids = await idsOf([
      [gull, sailed],
      [gull, sailed],
      ['{"ships":[{"id":"gull","state":1},{"id":"tern","state":2}]}', sailed],
      ['{"ships":[{"id":"gull","state":1},{"id":"tern","state":2}]}', sailed],
    ]);
    expect(new Set(ids).size).toBe(4);
  });

  test('of several events with identities is made from these', async () => {
    const ships = (...ids: string[]) =>
      JSON.stringify({ ships: ids.map((ship) => ({ id: ship, state: 1 })) });
    const identifyBy = ({ data }: { data: { id: string } }) => data.id;
    const ids = await idsOf(
      [
        [ships('gull', 'tern')],
        [ships('gull', 'tern')],
        [ships('tern', 'gull')],
        [ships('gull', 'auk')],
      ],
      { identifyBy },
    );
    expect(ids).toEqual([expect.stringMatching(id), ids[0], ids[2], ids[3]]);
    expect(new Set(ids).size).toBe(3);
  });
});

describe('`forward`', () => {
  const gull = '{"id":"gull","state":1}';
  const create = (forward: unknown, options: object = {}) =>
    createReceiver(orderedKinds, {
      authenticate: unauthenticated(),
      forward: forward as Forward,
      ...options,
    });
  const request = {
    method: 'POST',
    target: '/docked',
    headers: () => [],
    read: () => Buffer.from(gull),
  };

  test('has stored a delivery if it resolves with nothing', async () => {
    const outcome = await create(async () => undefined)(request);
    expect(outcome).toMatchObject({ status: 200, reason: 'stored' });
  });

  test.each([null, 'job-1', true, false, {}])(
    'has stored nothing if it resolves with %o, which engines also return for what they drop',
    async (result) => {
      const records: DeliveryRecord[] = [];
      const receive = create(() => Promise.resolve(result), {
        onEvent: (record: DeliveryRecord) => records.push(record),
      });
      expect(await receive(request)).toMatchObject({ status: 503, reason: 'store-failed' });
      expect(records).toMatchObject([{ error: expect.any(Error) }]);
    },
  );

  test('gets a signal that is aborted when the receiver has answered with 503', async () => {
    const signals: AbortSignal[] = [];
    const receive = create(
      (_: StoredDelivery, signal: AbortSignal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
      { storeTimeoutMs: 20 },
    );
    expect((await receive(request)).status).toBe(503);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('excludes `inbox`', () => {
    const inbox = { receive: async () => ({ status: 'stored' }) };
    expect(() => create(async () => undefined, { inbox })).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringContaining('inbox'),
      }),
    );
  });

  test('is a function', () => {
    expect(() => create('queue')).toThrow(
      expect.objectContaining({ message: expect.stringContaining('`forward`') }),
    );
  });

  test('gets why a delivery violates the contract, and no credential', async () => {
    const forwarded: StoredDelivery[] = [];
    const receive = create(async (delivery: StoredDelivery) => void forwarded.push(delivery), {
      stored: { headers: ['x-other', 'Authorization', 'cookie'] },
    });
    await receive({
      ...request,
      headers: (name: string) => [`the ${name}`],
      read: () => Buffer.from('{"id":"gull"}'),
    });
    // A content encoding is read before the body.
    expect(forwarded).toMatchObject([
      { verdict: 'encoded-body', rejection: { reason: 'encoding', violations: [{ pointer: '' }] } },
    ]);
    expect(forwarded[0]?.headers.map(([name]) => name)).toEqual([
      'content-encoding',
      'x-delivery',
      'x-other',
      ':receiver',
    ]);
  });
});
