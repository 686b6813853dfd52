import { parseExactly } from '../../../../packages/simulator/src/sending/exact-json.ts';
import { describe, expect, it } from 'vitest';
import type { Json } from 'countersign/kit';
import type { TriggerOptions } from '../../../../packages/simulator/src/index.ts';
import { createTestDeliverer } from './parcel-service.ts';
import { receive } from './receive.ts';
import { verify } from './verify.ts';

describe('trigger', () => {
  it('sends the first example to the path of its label, signed', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    const delivery = await deliverer.trigger('parcelSent', { headers: { 'x-more': 'yes' } });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/hooks/parcels/PARCEL00000001/office',
        headers: { 'content-type': 'application/json', 'x-kind': 'sent', 'x-more': 'yes' },
        body: '{"id":"PARCEL00000001","status":"SENT","weight":2.5}',
      },
    ]);
    const [request] = received;
    if (request === undefined) throw new Error('Nothing was received.');
    expect(await verify(deliverer.credentials['signingKey'] ?? '', request)).toBe('authentic');
    expect(delivery).toMatchObject({
      kind: 'parcelSent',
      state: 'acknowledged',
      attempts: [
        {
          id: 1,
          type: 'delivery',
          attempt: 1,
          example: 'one',
          faults: [],
          violations: [],
          isAcknowledged: true,
          response: { status: 200, body: { text: 'status 200' } },
        },
      ],
    });
    expect(deliverer.list()).toEqual([delivery]);
  });
});

const exact = parseExactly('{"weight":1.10}');

describe('the headers of trigger', () => {
  it.each([
    { 'x-a': 'a\r\nb' },
    { 'x a': 'b' },
    { 'x-a': '\u2603' },
    { '': 'b' },
    { Host: 'other.example' },
    { 'content-length': '1' },
    { 'Transfer-Encoding': 'chunked' },
  ])('are refused where HTTP does not allow them: %j', async (headers) => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    await expect(deliverer.trigger('parcelSent', { headers })).rejects.toMatchObject({
      code: 'invalid-option',
    });
    expect(received).toEqual([]);
    expect(deliverer.list()).toEqual([]);
  });
});

describe('the payload of trigger', () => {
  it.each<[string, TriggerOptions, Json]>([
    ['an example', { example: 'heavy' }, { id: 'PARCEL00000002', status: 'SENT', weight: 80 }],
    ['a sample', { sample: true }, { id: 'PARCELSAMPLE01', status: 'A', weight: 0 }],
    ['members', { data: { weight: 3 } }, { id: 'PARCEL00000001', status: 'SENT', weight: 3 }],
    ['a whole payload', { payload: { parcels: [] }, example: 'heavy' }, { parcels: [] }],
    ['bytes', { rawBody: ' {"parcels":[]}' }, { parcels: [] }],
  ])('is made from %s', async (_, options, expected) => {
    const { url, received } = await receive();
    await createTestDeliverer({ to: url }).trigger('parcelSent', options);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(expected);
  });

  it('is sent as the bytes that were given, with all digits of amounts', async () => {
    const { url, received } = await receive();
    const rawBody = ' { "weight" : 1.10, "amount": 10000000000000000.01 }';
    await createTestDeliverer({ to: url }).trigger('parcelSent', { rawBody, allowInvalid: true });
    expect(received[0]?.body).toBe(rawBody);
  });

  it.each<[string, TriggerOptions, string]>([
    ['members', { data: exact }, '{"id":"PARCEL00000001","status":"SENT","weight":1.10}'],
    ['a list', { data: exact, example: 'list' }, '{"parcels":[@],"weight":1.10}'],
    ['a payload', { payload: exact }, '{"weight":1.10}'],
  ])('has the digits of exact numbers in %s', async (_, options, expected) => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    await deliverer.trigger('parcelSent', { ...options, allowInvalid: true });
    const list = '{"id":"PARCEL00000001","status":"SENT","weight":2.5}';
    expect(received[0]?.body).toBe(expected.replace('@', list));
  });

  it.each(['unknown-property', 'burst'] as const)(
    'is not changed by the fault %s if that would change numbers',
    async (fault) => {
      const { url, received } = await receive();
      const deliverer = createTestDeliverer({ to: url });
      const options = { data: exact, faults: [fault] };
      await expect(deliverer.trigger('parcelSent', options)).rejects.toMatchObject({
        code: 'invalid-option',
      });
      expect(received).toEqual([]);
    },
  );

  it('gives the parameters of the path their values', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: `${url}/?key=1` });
    await deliverer.trigger('parcelSent', { parameters: { office: 'a/b ü' } });
    await deliverer.trigger('parcelSent', { parameters: { office: '..' }, example: 'list' });
    expect(received.map((request) => request.url)).toEqual([
      '/hooks/parcels/PARCEL00000001/a%2Fb%20%C3%BC?key=1',
      '/hooks/parcels/id/office?key=1',
    ]);
  });

  it('goes to the base address itself where labels are not appended', async () => {
    const { url, received } = await receive();
    await createTestDeliverer({ to: url, appendLabel: false }).trigger('parcelSent');
    expect(received[0]?.url).toBe('/hooks');
  });

  it.each<[string, TriggerOptions, string, string]>([
    ['parcelSent', { data: { id: 7 } }, 'invalid-payload', '/id must be string'],
    ['parcelSent', { rawBody: '{' }, 'invalid-payload', 'must be JSON in UTF-8'],
    ['parcelSent', { rawBody: Buffer.from([0xff]) }, 'invalid-payload', 'must be JSON in UTF-8'],
    ['parcelSent', { example: 'light' }, 'unknown-name', 'The examples are one, heavy, list.'],
    ['parcel', {}, 'unknown-name', 'The kinds are parcelSent, parcelLost.'],
    ['parcelLost', { sample: true }, 'invalid-payload', 'no sample of parcelLost'],
    ['parcelSent', { faults: ['old-key'] }, 'invalid-option', 'old-key cannot apply'],
    ['parcelLost', { faults: ['wrong-signature'] }, 'invalid-option', 'cannot apply'],
    ['parcelSent', { faults: ['error-503'] }, 'invalid-option', 'not a fault of deliveries'],
    ['parcelSent', { faults: ['duplicate', 'slow-body'] }, 'invalid-option', 'cannot have both'],
  ])('of %s with %o is refused as %s', async (kind, options, code, text) => {
    const { url, begun } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    const sent = deliverer.trigger(kind, options);
    await expect(sent).rejects.toMatchObject({ name: 'SimulatorError', code });
    await expect(sent).rejects.toThrow(text);
    expect(begun()).toBe(0);
    expect(deliverer.list()).toEqual([]);
  });

  it('can be invalid where the caller says so', async () => {
    const { url, received } = await receive(() => 422);
    const deliverer = createTestDeliverer({ to: url, retry: { attempts: 1 } });
    const delivery = await deliverer.trigger('parcelSent', {
      data: { id: 7 },
      allowInvalid: true,
    });
    expect(received[0]?.body).toContain('"id":7');
    expect(delivery).toMatchObject({
      state: 'failed',
      attempts: [{ isAcknowledged: false, violations: [{ pointer: '/id', keyword: 'type' }] }],
    });
  });
});

describe('the receiver', () => {
  it('is missing', async () => {
    const deliverer = createTestDeliverer();
    await expect(deliverer.trigger('parcelLost')).rejects.toMatchObject({ code: 'no-receiver' });
    expect(deliverer.list()).toEqual([]);
  });

  it.each(['http://203.0.113.7/', 'http://0.0.0.0:1/', 'http://[2001:db8::1]/'])(
    'cannot be another machine: %s',
    (to) => {
      expect(() => createTestDeliverer({ to })).toThrow(
        expect.objectContaining({ code: 'not-loopback' }),
      );
      expect(() => createTestDeliverer({ to, allowRemote: true })).not.toThrow();
    },
  );

  it.each(['parcels', 'ftp://127.0.0.1/', 'http://me:pass@127.0.0.1/'])(
    'cannot be %s',
    (address) => {
      const deliverer = createTestDeliverer();
      expect(() => (deliverer.to = address)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
    },
  );

  it('can change', async () => {
    const [firstReceiver, secondReceiver] = [await receive(), await receive()];
    const deliverer = createTestDeliverer({ to: firstReceiver.url });
    await deliverer.trigger('parcelLost');
    deliverer.to = secondReceiver.url;
    await deliverer.trigger('parcelLost');
    expect([firstReceiver.received.length, secondReceiver.received.length]).toEqual([1, 1]);
  });

  it('is not sent to another address by a redirect', async () => {
    const { url, received } = await receive(() => 307);
    const delivery = await createTestDeliverer({ to: url }).trigger('parcelLost');
    expect(received).toHaveLength(1);
    expect(delivery.attempts).toMatchObject([{ isAcknowledged: false, response: { status: 307 } }]);
  });
});

describe('authentication', () => {
  it('records no credential', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({
      to: url,
      authentication: { headers: { 'x-secret': 'hush-hush' } },
    });
    const { attempts } = await deliverer.trigger('parcelSent', {
      data: { note: 'hush-hush' },
    });
    expect(received[0]?.headers['x-secret']).toBe('hush-hush');
    const text = JSON.stringify(attempts);
    for (const secret of ['hush-hush', ...Object.values(deliverer.credentials)])
      expect(text).not.toContain(secret);
    expect(attempts[0]?.request.headers.map(([name]) => name)).toEqual([
      'content-type',
      'x-kind',
      'x-secret',
      'x-account',
      'x-timestamp',
      'x-signature',
      'content-length',
      'host',
      'connection',
    ]);
  });

  it('can be left out, or added where the contract states none', async () => {
    const { url, received } = await receive();
    await createTestDeliverer({ to: url, authentication: { signature: false } }).trigger(
      'parcelSent',
    );
    await createTestDeliverer({ to: url, authentication: { signature: 'signature' } }).trigger(
      'parcelLost',
    );
    expect(received.map(({ headers }) => 'x-signature' in headers)).toEqual([false, true]);
  });

  it('uses the answers to open questions, and the given key', async () => {
    const { url, received } = await receive();
    await createTestDeliverer({
      to: url,
      answers: { 'key-encoding': 'hex' },
      authentication: { key: '6b6579' },
    }).trigger('parcelSent');
    const [request] = received;
    expect(request && (await verify('key', request))).toBe('authentic');
  });

  it('uses real time unless the clock is shared', async () => {
    const { url, received } = await receive();
    for (const sharedClock of [false, true]) {
      const deliverer = createTestDeliverer({ to: url, sharedClock });
      await deliverer.clock.advance('1d');
      await deliverer.trigger('parcelSent');
    }
    const [real = 0, shared = 0] = received.map(({ headers }) => Number(headers['x-timestamp']));
    expect(Math.round((shared - real) / 3_600)).toBe(24);
  });

  it('names an unknown signature', () => {
    expect(() => createTestDeliverer({ authentication: { signature: 'seal' } })).toThrow(
      expect.objectContaining({
        code: 'unknown-name',
        message: 'The contract has no signature "seal". The signatures are signature.',
      }),
    );
  });
});

describe('repetition', () => {
  it('follows the schedule until a delivery is acknowledged', async () => {
    const { url, received } = await receive((_, index) => (index < 3 ? 503 : 204));
    const deliverer = createTestDeliverer({
      to: url,
      retry: { attempts: 4, firstDelayMs: 5, maxDelayMs: 120, jitter: 0 },
    });
    const delivery = await deliverer.trigger('parcelSent');
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ nextAttemptInMs: 5 }] });
    await deliverer.clock.advance(34);
    expect(received).toHaveLength(2);
    await deliverer.clock.advance(1);
    expect(received).toHaveLength(3);
    expect(deliverer.list()).toMatchObject([{ state: 'pending' }]);
    await deliverer.clock.advance('1h');
    await deliverer.settled();
    expect(received).toHaveLength(4);
    expect(delivery.state).toBe('acknowledged');
    expect(delivery.attempts.map(({ nextAttemptInMs }) => nextAttemptInMs)).toEqual([
      5,
      30,
      120,
      undefined,
    ]);
    expect(deliverer.list()).toEqual([delivery]);
    // Each attempt has a signature of its own.
    const key = deliverer.credentials['signingKey'] ?? '';
    for (const request of received) expect(await verify(key, request)).toBe('authentic');
  });

  it('gives up after the last delay, which varies by the seed', async () => {
    const { url, received } = await receive(() => 500);
    const run = async (seed: number): Promise<readonly (number | undefined)[]> => {
      const deliverer = createTestDeliverer({ to: url, seed });
      const delivery = await deliverer.trigger('parcelLost');
      await deliverer.clock.advance('1d');
      expect(delivery.state).toBe('failed');
      return delivery.attempts.map(({ nextAttemptInMs }) => nextAttemptInMs);
    };
    const delays = await run(1);
    expect(received).toHaveLength(6);
    expect(delays.at(-1)).toBeUndefined();
    for (const [index, delay] of [5_000, 30_000, 180_000, 1_080_000, 3_600_000].entries())
      expect(Math.abs((delays[index] ?? 0) - delay)).toBeLessThanOrEqual(delay / 10);
    expect(await run(1)).toEqual(delays);
    expect(await run(2)).not.toEqual(delays);
  });

  it.each<[string, (() => 'reset') | undefined, string]>([
    ['a receiver that closes the connection', () => 'reset', 'reset'],
    ['a receiver that does not listen', undefined, 'connection refused'],
  ])('follows an error: %s', async (_, answer, error) => {
    const to = answer === undefined ? 'http://127.0.0.1:1/' : (await receive(answer)).url;
    const delivery = await createTestDeliverer({ to }).trigger('parcelLost');
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ error, attempt: 1 }] });
    expect(delivery.attempts[0]).not.toHaveProperty('response');
  });

  it('ends with the simulator', async () => {
    const { url } = await receive(() => 500);
    const deliverer = createTestDeliverer({ to: url });
    const delivery = await deliverer.trigger('parcelLost');
    await deliverer.close();
    await deliverer.settled();
    expect(delivery.state).toBe('failed');
    await expect(deliverer.trigger('parcelLost')).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('sendAgain', () => {
  it('sends the same request, signed anew, as another delivery', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url, answers: {} });
    const { attempts, id } = await deliverer.trigger('parcelSent', {
      headers: { 'x-more': 'yes' },
      parameters: { office: 'x' },
    });
    const [entry] = attempts;
    if (entry === undefined) throw new Error('Nothing was sent.');
    const again = await deliverer.sendAgain(entry);
    expect(again.id).not.toBe(id);
    const [first, second] = received;
    if (first === undefined || second === undefined) throw new Error('Too little was received.');
    const { 'x-timestamp': _, 'x-signature': __, ...headers } = first.headers;
    expect(second).toMatchObject({
      method: first.method,
      url: first.url,
      body: first.body,
      headers,
    });
    expect(await verify(deliverer.credentials['signingKey'] ?? '', second)).toBe('authentic');
  });

  it('refuses a body that the journal does not keep', async () => {
    const { url } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    const account = deliverer.credentials['account'] ?? '';
    for (const note of [account, 'x'.repeat(300_000)]) {
      const { attempts } = await deliverer.trigger('parcelSent', { data: { note } });
      const [entry] = attempts;
      if (entry === undefined) throw new Error('Nothing was sent.');
      await expect(deliverer.sendAgain(entry)).rejects.toMatchObject({ code: 'invalid-payload' });
    }
  });
});
