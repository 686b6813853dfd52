import type { ServerResponse } from 'node:http';
import * as undici from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  accessToken,
  apiKey,
  bearer,
  ClientError,
  fromJson,
  isKept,
  simple,
  type CallOptions,
  type ClientEvent,
  type ConnectionOptions,
  type OperationData,
  type Service,
} from '../../../../packages/runtime/client/client.ts';
import { startServer, type Arrival, type TestServer } from './server.ts';
import { connect, type RequestingConnection } from './connect.ts';

const open: Service = { everyRequest: [], schemes: {}, security: [] };
const issueToken: OperationData = {
  id: 'issueToken',
  method: 'POST',
  path: '/token',
  security: [],
  responses: { '200': { 'application/json': fromJson } },
};
const withToken = (): Service => ({
  everyRequest: [
    { in: 'headers', name: 'x-time', style: simple, value: 'timestamp', retry: 'renew' },
  ],
  schemes: {
    token: accessToken(
      {
        operation: issueToken,
        token: { body: ['token'] },
        lifetime: { body: ['seconds'] },
        value: '{token}',
      },
      true,
    ),
  },
  security: [['token']],
});

/** A connection that does not wait between attempts. */
function connection(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  service: Service,
  options: Partial<ConnectionOptions> = {},
): RequestingConnection {
  return connect({ baseUrl, sleep: async () => undefined, ...options }, service);
}

const json = (response: ServerResponse, body: unknown, status = 200): unknown =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const unavailable = (_: Arrival, response: ServerResponse): unknown =>
  response.writeHead(503).end();
const reset = (_: Arrival, response: ServerResponse): unknown => response.destroy();
const silence = (): void => undefined;

describe('what depends on the time of sending', () => {
  test('is made after the token has been awaited, at every attempt', async () => {
    let now = Date.UTC(2026, 4, 1);
    let failures = 1;
    await using server = await startServer(({ url }, response) => {
      now += 3000;
      if (url === '/token') return json(response, { token: 'abc', seconds: 60 });
      return failures-- > 0 ? unavailable({} as Arrival, response) : json(response, {});
    });
    await connection(server, withToken(), { clock: () => now }).request('GET', '/a');
    expect(server.arrived.map(({ url, headers }) => [url, headers['x-time']])).toEqual([
      ['/token', '2026-05-01T00:00:00.000Z'],
      ['/a', '2026-05-01T00:00:03.000Z'],
      ['/a', '2026-05-01T00:00:06.000Z'],
    ]);
  });

  test('includes the headers of a function, and what cannot be sent costs no token request', async () => {
    let count = 0;
    await using server = await startServer(({ url }, response) =>
      json(response, url === '/token' ? { token: 'abc', seconds: 60 } : {}),
    );
    const client = connection(server, withToken(), {
      headers: () => ({ 'x-sent': String(server.arrived.length), 'x-count': String(++count) }),
    });
    await client.request('GET', '/a');
    expect(server.arrived.at(-1)?.headers['x-sent']).toBe('1');
    const other = connection(server, withToken(), { headers: () => ({ 'x-sent': 'a\nb' }) });
    await expect(other.request('GET', '/a')).rejects.toMatchObject({ code: 'invalid-input' });
    for (const name of ['x\ny', 'x: y', 'x y', '', 'ü']) {
      const named = connection(server, withToken(), { headers: { [name]: 'a' } });
      const refused = { name: 'ClientError', code: 'invalid-input' };
      await expect(named.request('GET', '/a')).rejects.toMatchObject(refused);
      const ofCall = client.request('GET', '/a', {}, { headers: { [name]: 'a' } });
      await expect(ofCall).rejects.toMatchObject(refused);
    }
    expect(server.arrived).toHaveLength(2);
  });
});

test('headers of a call override those of the client, and both those of the operation', async () => {
  await using server = await startServer((_, response) => json(response, {}));
  const headers = { 'X-Trace': 'client', 'X-Client': 'kept', Accept: 'text/plain' };
  await connection(server, open, { headers }).request(
    'GET',
    '/a',
    {},
    { headers: { 'x-trace': 'call' } },
  );
  expect(server.arrived[0]?.headers).toMatchObject({
    'x-trace': 'call',
    'x-client': 'kept',
    accept: 'text/plain',
  });
});

describe('one budget and one deadline for a call', () => {
  test.each([
    ['hangs', silence],
    ['resets connections', reset],
  ])('ask a token endpoint that %s three times, however many calls wait', async (_, answer) => {
    await using server = await startServer(answer);
    const client = connection(server, withToken(), { attemptTimeoutMs: 500 });
    const calls = Array.from({ length: 10 }, () => client.request('GET', '/a'));
    for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
      expect(status).toBe('rejected');
      expect(reason).toMatchObject({ operation: 'issueToken' });
    }
    expect(server.arrived.map(({ url }) => url)).toEqual(['/token', '/token', '/token']);
  });

  test('count the repetitions of the token request and of the call together', async () => {
    let failures = 1;
    await using server = await startServer(({ url }, response) => {
      if (url !== '/token') return unavailable({} as Arrival, response);
      return failures-- > 0
        ? unavailable({} as Arrival, response)
        : json(response, { token: 'abc', seconds: 60 });
    });
    await expect(connection(server, withToken()).request('GET', '/a')).rejects.toMatchObject({
      status: 503,
    });
    expect(server.arrived.map(({ url }) => url)).toEqual(['/token', '/token', '/a', '/a']);
  });

  test('leave to a call that waits for the token of another what that one has not used', async () => {
    let failures = 1;
    await using server = await startServer(({ url }, response) => {
      if (url === '/token' && failures-- > 0) return reset({} as Arrival, response);
      return json(response, url === '/token' ? { token: 'abc', seconds: 60 } : {});
    });
    const client = connection(server, withToken());
    const first = client.request('GET', '/first', {}, { retry: { attempts: 1 } });
    const second = client.request('GET', '/second');
    await expect(first).rejects.toMatchObject({ code: 'network' });
    await expect(second).resolves.toMatchObject({ status: 200 });
  });

  test.each([
    ['a token endpoint that hangs', 'GET', withToken],
    ['a call that hangs', 'GET', () => open],
  ])('end %s', async (_, method, service) => {
    await using server = await startServer(silence);
    const client = connection(server, service(), { timeoutMs: 1000 });
    await expect(client.request(method, '/a')).rejects.toMatchObject({
      code: 'timeout',
      operation: 'GET /a',
    });
    expect(server.arrived).toHaveLength(1);
  });

  test('end the wait before a repetition for which no time is left', async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(503, { 'retry-after': '10' }).end(),
    );
    const client = connect({ baseUrl: server.baseUrl, timeoutMs: 5000 }, open);
    await expect(client.request('GET', '/a')).rejects.toMatchObject({ status: 503 });
    expect(server.arrived).toHaveLength(1);
  });

  test.each([
    ['by default', {}, [125, 250, 500, 1000]],
    ['up to the maximum', { firstDelayMs: 100, factor: 3, maxDelayMs: 1000 }, [50, 150, 450, 500]],
    ['with a random half', { firstDelayMs: 100, jitter: 0.5 }, [75, 150, 300, 600]],
    ['without chance', { firstDelayMs: 100, factor: 1, jitter: 0 }, [100, 100, 100, 100]],
  ])('lets the wait before a repetition grow %s', async (_, retry, expected) => {
    await using server = await startServer(unavailable);
    const waits: number[] = [];
    const reported: number[] = [];
    const client = connection(server, open, {
      random: () => 0.5,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      onEvent: (event) => event.type === 'retry' && reported.push(event.delayMs),
    });
    const call = client.request('GET', '/a', {}, { retry: { attempts: 5, ...retry } });
    await expect(call).rejects.toMatchObject({ status: 503 });
    expect(waits).toEqual(expected);
    expect(reported).toEqual(expected);
  });
});

describe('repetitions', () => {
  const operation = (more: Partial<OperationData> = {}): OperationData => ({
    id: 'act',
    method: 'POST',
    path: '/act',
    responses: { '200': { 'application/json': fromJson } },
    ...more,
  });
  const checking: Service = { ...open, isKept };
  const keep: Service = {
    ...checking,
    everyRequest: [{ in: 'headers', name: 'x-id', style: simple, value: 'uuid', retry: 'keep' }],
  };
  const every = (more: object): Service => ({
    ...keep,
    everyRequest: keep.everyRequest.map((value) => ({ ...value, ...more })),
  });
  const renew = every({ retry: 'renew' });
  const timestamped = every({ value: 'timestamp' });
  const byId = { keeps: '$request.header.X-Id' };
  const withId = operation({ repeatable: byId });
  const rows: readonly (readonly [string, OperationData, Service, CallOptions, number])[] = [
    ['a POST of which nothing is stated', operation(), checking, {}, 1],
    ['a POST that keeps its request id', operation(), keep, {}, 1],
    ['a PATCH of which nothing is stated', operation({ method: 'PATCH' }), checking, {}, 1],
    ['a POST that is stated to be repeatable', operation({ repeatable: true }), checking, {}, 3],
    [
      'a POST that an option allows',
      operation(),
      { ...checking, repeatable: { act: true } },
      {},
      3,
    ],
    [
      'a POST that an option forbids',
      operation(),
      { ...checking, repeatable: { act: false } },
      {},
      1,
    ],
    ['a POST whose caller wants it', operation(), checking, { repeatable: true }, 3],
    [
      'a stated POST whose caller does not',
      operation({ repeatable: true }),
      checking,
      { repeatable: false },
      1,
    ],
    ['a POST that is safe with the request id it keeps', withId, keep, {}, 3],
    [
      'such a POST, with a service that does not check it',
      withId,
      { ...open, everyRequest: keep.everyRequest },
      {},
      1,
    ],
    ['a POST that is safe with the request id it renews', withId, renew, {}, 1],
    ['such a POST, whose caller wants it', withId, renew, { repeatable: true }, 3],
    ['a POST that is safe with a timestamp', withId, timestamped, {}, 1],
    ['a POST that is safe with an id that it does not send', withId, checking, {}, 1],
    ['such a POST, with a header of that name', withId, checking, { headers: { 'X-ID': 'a' } }, 3],
    ['such a POST, with an empty one', withId, checking, { headers: { 'X-ID': '' } }, 1],
    ['an id that an option allows', operation(), { ...keep, repeatable: { act: byId } }, {}, 3],
    ['an id that is renewed', operation(), { ...renew, repeatable: { act: byId } }, {}, 1],
    ['an expression that is none', operation({ repeatable: { keeps: 'x-id' } }), keep, {}, 1],
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'].map(
      (method) => [`a ${method}`, operation({ method }), checking, {}, 3] as const,
    ),
  ];

  test.each(rows)('%s', async (_, act, service, options, attempts) => {
    for (const answer of [unavailable, reset, silence]) {
      await using server = await startServer(answer);
      // Counted where they are sent: within the time of an attempt, a request may not have arrived.
      let requests = 0;
      const client = connection(server, service, {
        attemptTimeoutMs: 150,
        onEvent: ({ type }) => (requests += Number(type === 'request')),
      });
      await expect(client.call(act, {}, options)).rejects.toBeInstanceOf(ClientError);
      expect(requests).toBe(attempts);
    }
  });

  test.each([
    [renew, { headers: { 'x-id': 'given' } }, 3],
    [keep, { headers: { 'x-id': 'given' } }, 3],
    [keep, { headers: { 'x-id': '' } }, 1],
    [{ ...checking, everyRequest: [] }, { headers: { 'x-id': 'given' } }, 3],
    [{ ...checking, everyRequest: [] }, { headers: { 'x-id': '' } }, 1],
    [{ ...checking, everyRequest: [] }, { headers: {} }, 1],
  ] as const)('of a POST with an id of the caller: %#', async (service, input, attempts) => {
    const parameters = [{ in: 'headers', name: 'x-id', style: simple }] as const;
    const act = service.everyRequest.length > 0 ? withId : { ...withId, parameters };
    await using server = await startServer(unavailable);
    await expect(connection(server, service).call(act, input)).rejects.toMatchObject({
      status: 503,
    });
    const ids = server.arrived.map(({ headers }) => headers['x-id']);
    expect(ids).toEqual(Array(attempts).fill(input.headers['x-id' as never] || undefined));
  });

  test('of a POST whose id is renewed, of which no byte was sent, or after 401', async () => {
    let tokens = 0;
    await using server = await startServer(({ url }, response) => {
      if (url === '/token') return json(response, { token: `t${++tokens}`, seconds: 60 });
      return response.writeHead(tokens === 1 ? 401 : 503).end();
    });
    const service = { ...withToken(), everyRequest: renew.everyRequest };
    await expect(connection(server, service).call(withId, {})).rejects.toMatchObject({
      status: 503,
    });
    const ids = server.arrived
      .filter(({ url }) => url !== '/token')
      .map(({ headers }) => headers['x-id']);
    expect(new Set(ids).size).toBe(2);
    const events: string[] = [];
    const closed = await startServer(unavailable);
    await closed[Symbol.asyncDispose]();
    const unsent = connection(closed, renew, {
      onEvent: ({ type }) => events.push(type),
    });
    await expect(unsent.call(withId, {})).rejects.toMatchObject({ code: 'network' });
    expect(events.filter((type) => type === 'request')).toHaveLength(3);
  });

  test('of a call that the contract does not declare are made where it changes nothing', async () => {
    await using server = await startServer(unavailable);
    const client = connection(server, checking);
    await expect(client.request('POST', '/a')).rejects.toMatchObject({ status: 503 });
    await expect(client.request('put', '/a')).rejects.toMatchObject({ status: 503 });
    await expect(client.request('DELETE', '/a')).rejects.toMatchObject({ status: 503 });
    await expect(client.request('GET', '/a')).rejects.toMatchObject({ status: 503 });
    const repeatable = client.request('PUT', '/a', {}, { repeatable: true });
    await expect(repeatable).rejects.toMatchObject({ status: 503 });
    const three = (method: string): readonly string[] => [method, method, method];
    expect(server.arrived.map(({ method }) => method)).toEqual([
      'POST',
      'PUT',
      'DELETE',
      ...three('GET'),
      ...three('PUT'),
    ]);
  });

  test('of a POST once after 401, with a new token', async () => {
    let tokens = 0;
    await using server = await startServer(({ url, headers }, response) => {
      if (url === '/token') return json(response, { token: `t${++tokens}`, seconds: 60 });
      return json(response, {}, headers.authorization === 't2' ? 200 : 401);
    });
    await connection(server, withToken(), { retry: { attempts: 1 } }).request('POST', '/a');
    expect(server.arrived.map(({ url }) => url)).toEqual(['/token', '/a', '/token', '/a']);
  });

  const customFetch = async (url: string, init: RequestInit): Promise<Response> =>
    await fetch(url, init);
  const ofUndici = async (url: string, init: RequestInit): Promise<Response> =>
    (await undici.fetch(url, init as undici.RequestInit)) as unknown as Response;
  test.each([
    [{}, 3],
    [{ fetch: customFetch }, 1],
    [{ fetch: customFetch, fetchSendsOnce: false }, 1],
    [{ fetch: customFetch, fetchSendsOnce: true }, 3],
    [{ fetch: ofUndici, fetchSendsOnce: true }, 3],
    [{ fetch: ofUndici }, 1],
    // The caller's word about a call counts more.
    [{ fetch: customFetch, repeatable: true }, 3],
    [{ fetch: customFetch, fetchSendsOnce: true, retry: { attempts: 1 } }, 1],
  ])(
    'of a POST whose connection was never opened, with %o: %i attempts',
    async ({ repeatable, ...options }: Partial<ConnectionOptions> & CallOptions, attempts) => {
      const server = await startServer(silence);
      await server[Symbol.asyncDispose]();
      const events: ClientEvent[] = [];
      const client = connection(server, checking, { ...options, onEvent: (e) => events.push(e) });
      const call = repeatable === undefined ? {} : { repeatable };
      await expect(client.request('POST', '/a', { body: {} }, call)).rejects.toMatchObject({
        code: 'network',
      });
      expect(events.filter(({ type }) => type === 'request')).toHaveLength(attempts);
    },
  );

  test.each([
    ['is lost after the request', (_: Arrival, response: ServerResponse) => response.destroy(), {}],
    ['stays silent', silence, { attemptTimeoutMs: 50 }],
  ] as const)(
    'of a POST never happen where the service got it and the connection %s, although fetch sends once',
    async (_, answer, limits) => {
      await using server = await startServer(answer);
      const client = connection(server, checking, {
        ...limits,
        fetch: customFetch,
        fetchSendsOnce: true,
      });
      await expect(client.request('POST', '/a', { body: {} })).rejects.toThrow();
      expect(server.arrived).toHaveLength(1);
    },
  );

  test('of a POST happen where the name of its host cannot be resolved', async () => {
    const events: ClientEvent[] = [];
    const client = connection({ baseUrl: 'http://service.invalid' }, checking, {
      onEvent: (event) => events.push(event),
    });
    await expect(client.request('POST', '/a')).rejects.toMatchObject({ code: 'network' });
    expect(events.filter(({ type }) => type === 'request')).toHaveLength(3);
  });
});

describe('errors of the program', () => {
  const boom = (): never => {
    throw new TypeError('undefined is not a function');
  };
  const rows: readonly (readonly [string, Partial<ConnectionOptions>, Service, string])[] = [
    ['fetch', { fetch: boom }, open, 'fetch'],
    ['fetch, later', { fetch: async () => boom() }, open, 'fetch'],
    ['fetch, with no Response', { fetch: async () => ({}) as Response }, open, 'fetch'],
    ['headers', { headers: boom }, open, 'headers'],
    ['clock', { clock: boom }, withToken(), 'clock'],
    ['clock, with no number', { clock: () => Number.NaN }, withToken(), 'clock'],
    [
      'uuid',
      { uuid: boom },
      {
        ...open,
        everyRequest: [{ in: 'headers', name: 'x', style: simple, value: 'uuid', retry: 'keep' }],
      },
      'uuid',
    ],
    ['random', { random: boom }, open, 'random'],
    ['sleep', { sleep: async () => boom() }, open, 'sleep'],
    [
      'a token',
      {},
      { ...open, schemes: { own: bearer('', boom) }, security: [['own']] },
      'credentials',
    ],
    [
      'a token, later',
      {},
      { ...open, schemes: { own: bearer('', async () => boom()) }, security: [['own']] },
      'credentials',
    ],
  ];

  test.each(rows)('a function that has failed is named: %s', async (_, options, service, name) => {
    await using server = await startServer(unavailable);
    const events: ClientEvent[] = [];
    const client = connection(server, service, { ...options, onEvent: (e) => events.push(e) });
    await expect(client.request('GET', '/a')).rejects.toMatchObject({
      code: 'function-failed',
      message: expect.stringContaining(`option ${name}`),
    });
    expect(events.filter(({ type }) => type === 'retry').length).toBe(name === 'sleep' ? 1 : 0);
    expect(server.arrived.length).toBeLessThan(2);
  });

  test('what the platform cannot send is an error of the input, and is not sent', async () => {
    await using server = await startServer(unavailable);
    const client = connection(server, open);
    await expect(client.request('GET', '/a', { body: {} })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    await expect(client.request('TRACE', '/a')).rejects.toMatchObject({ code: 'invalid-input' });
    expect(server.arrived).toEqual([]);
  });

  test('a defect of the runtime or of generated code keeps its type', async () => {
    await using server = await startServer(unavailable);
    const client = connection(server, open);
    const broken: OperationData = {
      id: 'broken',
      method: 'GET',
      path: '/a',
      parameters: [
        {
          in: 'query',
          name: 'q',
          style() {
            throw new RangeError('a defect');
          },
        },
      ],
    };
    await expect(client.call(broken, { query: { q: 1 } })).rejects.toBeInstanceOf(RangeError);
    expect(server.arrived).toEqual([]);
  });

  test('a failure of the network is still one where a fetch of one’s own reports it', async () => {
    const failures: readonly Error[] = [
      new TypeError('Failed to fetch'),
      new TypeError('fetch failed', { cause: new Error('other side closed') }),
      Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      new Error('Network connection lost.'),
      // Of another client, whatever copy of its code that has.
      new ClientError('timeout', 'No response arrived.'),
    ];
    for (const failure of failures) {
      const client = connection({ baseUrl: 'http://service.invalid' }, open, {
        fetch: async () => {
          throw failure;
        },
      });
      await expect(client.request('GET', '/a')).rejects.toMatchObject({ code: 'network' });
    }
  });
});

describe('options', () => {
  const timeouts = [-1, 0, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '5s', null];
  const rows: readonly (readonly [string, unknown])[] = [
    ...timeouts.flatMap((value) => [
      ['timeoutMs', { timeoutMs: value }] as const,
      ['attemptTimeoutMs', { attemptTimeoutMs: value }] as const,
    ]),
    ...[0, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY, '3', null].map(
      (value) => ['retry.attempts', { retry: { attempts: value } }] as const,
    ),
    ...[-1, Number.NaN, Number.POSITIVE_INFINITY, '1', null].flatMap((value) => [
      ['retry.firstDelayMs', { retry: { firstDelayMs: value } }] as const,
      ['retry.maxDelayMs', { retry: { maxDelayMs: value } }] as const,
      ['retry.jitter', { retry: { jitter: value } }] as const,
      ['retry.factor', { retry: { factor: value } }] as const,
    ]),
    ['retry.factor', { retry: { factor: 0.5 } }],
    ['retry.jitter', { retry: { jitter: 1.5 } }],
    ['retry', { retry: 3 }],
    ['headers', { headers: 'x: y' }],
  ];
  const ofConnections: typeof rows = [
    ...rows,
    ...['fetch', 'onEvent', 'clock', 'random', 'uuid', 'sleep'].map(
      (name) => [name, { [name]: 5 }] as const,
    ),
    ['fetchSendsOnce', { fetchSendsOnce: 'yes' }],
    ['tokenStore', { tokenStore: { get: () => undefined } }],
    ['baseUrl', { baseUrl: undefined }],
    ['baseUrl', { baseUrl: 'service.example' }],
  ];
  const ofCalls: typeof rows = [
    ...rows,
    ['repeatable', { repeatable: 'yes' }],
    ['signal', { signal: {} }],
    ['baseUrl', { baseUrl: 'service.example' }],
  ];

  test.each(ofConnections)('a client refuses %s as in %j', (name, options) => {
    const made = (): unknown =>
      connect(
        Object.assign({ baseUrl: 'https://service.example' }, options as ConnectionOptions),
        open,
      );
    expect(made).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringMatching(`option ${name} `),
      }),
    );
  });

  test.each(ofCalls)('a call refuses %s as in %j, and sends nothing', async (_, options) => {
    await using server = await startServer(unavailable);
    const call = connection(server, open).request('GET', '/a', {}, options as CallOptions);
    await expect(call).rejects.toMatchObject({ code: 'invalid-option' });
    expect(server.arrived).toEqual([]);
  });

  test('may be undefined', async () => {
    await using server = await startServer((_, response) => json(response, {}));
    const none = { timeoutMs: undefined, retry: undefined, headers: undefined, signal: undefined };
    const options = { baseUrl: server.baseUrl, ...none, fetch: undefined } as unknown;
    const client = connect(options as ConnectionOptions, open);
    const answer = await client.request('GET', '/a', {}, none as unknown as CallOptions);
    expect(answer.status).toBe(200);
  });
});

describe('entries of a token store', () => {
  const later = Date.now() + 3_600_000;
  const rows: readonly (readonly [string, unknown, string])[] = [
    ['a text', 'not JSON', 'invalid'],
    ['a number', 7, 'invalid'],
    ['an empty object', {}, 'invalid'],
    ['a list', [], 'invalid'],
    ['no text as token', { token: 7, expires: later }, 'invalid'],
    ['an empty token', { token: '', expires: later }, 'invalid'],
    ['a token that no header carries', { token: 'a\nb', expires: later }, 'invalid'],
    ['a token beyond Latin-1', { token: '\u2028', expires: later }, 'invalid'],
    ['no time', { token: 'old' }, 'invalid'],
    ['a time that is not a number', { token: 'old', expires: Number.NaN }, 'invalid'],
    ['an infinite time', { token: 'old', expires: Number.POSITIVE_INFINITY }, 'invalid'],
    ['a time as text', { token: 'old', expires: String(later) }, 'invalid'],
    ['a token that has expired', { token: 'old', expires: 1 }, 'expired'],
  ];

  test.each(rows)('%s: ignored, reported and replaced', async (_, entry, reason) => {
    await using server = await startServer(({ url, headers }, response) => {
      if (url === '/token') return json(response, { token: 'new', seconds: 60 });
      return json(response, {}, headers.authorization === 'new' ? 200 : 401);
    });
    const events: ClientEvent[] = [];
    const store = {
      entry,
      get: () => store.entry,
      set: (_key: string, value: unknown) => (store.entry = value),
    };
    const client = connection(server, withToken(), {
      tokenStore: store,
      onEvent: (event) => events.push(event),
    });
    expect((await client.request('GET', '/a')).status).toBe(200);
    expect(store.entry).toMatchObject({ token: 'new' });
    expect(events.filter(({ type }) => type.startsWith('token-store'))).toEqual([
      { type: 'token-store-entry-ignored', reason },
    ]);
    expect(server.arrived.map(({ url }) => url)).toEqual(['/token', '/a']);
  });
});

describe('a platform without what calls need', () => {
  afterEach(() => vi.unstubAllGlobals());

  test.each([
    ['AbortController', () => vi.stubGlobal('AbortController', undefined)],
    ['crypto', () => vi.stubGlobal('crypto', undefined)],
    ['fetch', () => vi.stubGlobal('fetch', undefined)],
  ])('is refused when the client is made: %s', (feature, remove) => {
    remove();
    expect(() =>
      connect(
        { baseUrl: 'https://service.example' },
        { ...open, schemes: { key: apiKey('headers', 'x', 'y') } },
      ),
    ).toThrow(
      expect.objectContaining({
        code: 'unsupported-platform',
        message: expect.stringContaining(feature),
      }),
    );
  });
});

describe('functions of the platform that are replaced after the client was created', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  test('fetch is the one at the time of the call', async () => {
    const client = connect({ baseUrl: 'https://service.example' }, open);
    const fetchStub = vi.fn(async () => Response.json({ from: 'the stub' }));
    vi.stubGlobal('fetch', fetchStub);
    expect((await client.request('GET', '/a')).body).toEqual({ from: 'the stub' });
    vi.stubGlobal('fetch', async () => Response.json({ from: 'another stub' }));
    expect((await client.request('GET', '/a')).body).toEqual({ from: 'another stub' });
    expect(fetchStub).toHaveBeenCalledOnce();
  });

  test.each([
    ['timeoutMs', { timeoutMs: 5_000 }],
    ['attemptTimeoutMs', { attemptTimeoutMs: 5_000 }],
  ])('fake timers drive %s', async (_name, limits) => {
    const client = connect({ baseUrl: 'https://service.example' }, open);
    vi.useFakeTimers();
    vi.stubGlobal(
      'fetch',
      (_url: URL, { signal }: RequestInit) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    const call = client.request('POST', '/a', {}, limits).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(await Promise.race([call, Promise.resolve('waits')])).toBe('waits');
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toMatchObject({ name: 'ClientError', code: 'timeout' });
  });

  test('the clock is the one at the time of the call', async () => {
    const sent: (string | null)[] = [];
    const client = connect(
      {
        baseUrl: 'https://service.example',
        fetch: async (_, { headers }) => {
          sent.push(new Headers(headers).get('x-time'));
          return Response.json({});
        },
      },
      {
        ...open,
        everyRequest: [
          { in: 'headers', name: 'x-time', style: simple, value: 'timestamp', retry: 'renew' },
        ],
      },
    );
    vi.useFakeTimers({ now: 0 });
    await client.request('GET', '/a');
    expect(sent).toEqual(['1970-01-01T00:00:00.000Z']);
  });
});
