import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClientEvent, TokenStore } from '../../../../packages/runtime/client/client.ts';
import { importClient, type ClientModule, type Entries } from './generated-client.ts';
import { issued, startService, type Service } from './service-from-document.ts';

let entries: Entries;
let service: Service;
let now: number;
let waits: number[];
let events: ClientEvent[];

beforeAll(async () => {
  entries = await importClient();
});
afterAll(() => entries[Symbol.asyncDispose]());
beforeEach(async () => {
  now = Date.UTC(2026, 4, 1, 12);
  waits = [];
  events = [];
  service = await startService(() => now);
});
afterEach(() => service[Symbol.asyncDispose]());

describe.each(['checked', 'unchecked'] as const)('the generated client, %s', (entry) => {
  let module: ClientModule;

  beforeEach(() => {
    module = entries[entry];
  });

  function connect(more: object = {}): ReturnType<ClientModule['createClient']> {
    return module.createClient({
      baseUrl: service.baseUrl,
      credentials: issued,
      clock: () => now,
      random: () => 0.5,
      sleep: async (milliseconds: number) => {
        waits.push(milliseconds);
        now += milliseconds;
      },
      onEvent: (event: ClientEvent) => events.push(event),
      ...more,
    });
  }

  test('obtains a token without arguments, by a request that the service finds no fault with', async () => {
    const answer = await connect()['issueToken']?.();
    expect(answer).toMatchObject({
      status: 201,
      declaredStatus: '2XX',
      body: { expires_in: 3600 },
    });
    expect(service.arrived.map(({ faults }) => faults)).toEqual([[]]);
    expect(service.arrived[0]?.headers.authorization).toBeUndefined();
  });

  test('signs and authorizes a call that the contract does not state, and uses its token again', async () => {
    const client = connect();
    for (const amount of [1, 2, 3]) {
      const answer = await client.request('POST', '/cashout/{id}', {
        path: { id: 'a b' },
        query: { dry: true },
        body: { amount },
      });
      expect(answer).toMatchObject({
        status: 200,
        body: { seen: '/cashout/a%20b?dry=true', body: `{"amount":${amount}}` },
      });
    }
    expect(service.tokenRequests).toBe(1);
    expect(service.arrived.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('asks for one token for a hundred parallel calls', async () => {
    const client = connect();
    const calls = Array.from({ length: 100 }, (_, index) =>
      client.request('GET', `/things/${index}`),
    );
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    expect(service.tokenRequests).toBe(1);
    expect(new Set(service.arrived.map(({ headers }) => headers['x-request-id'])).size).toBe(101);
  });

  test('keeps a token until shortly before its lifetime ends', async () => {
    const client = connect();
    await client.request('GET', '/things');
    now += 3_560_000;
    await client.request('GET', '/things');
    expect(service.tokenRequests).toBe(1);
    now += 20_000;
    await client.request('GET', '/things');
    expect(service.tokenRequests).toBe(2);
    expect(service.arrived.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('renews a refused token once, for however many calls', async () => {
    const client = connect();
    await client.request('GET', '/things');
    service.revoke();
    const calls = Array.from({ length: 20 }, () => client.request('POST', '/things', { body: {} }));
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    expect(service.tokenRequests).toBe(2);
  });

  test('gives up where the new token is refused as well', async () => {
    service.interfere = ({ url }, response) => {
      if (url === '/token') return false;
      response.writeHead(401).end();
      return true;
    };
    await expect(connect().request('GET', '/things')).rejects.toMatchObject({
      code: 'unexpected-status',
      status: 401,
    });
    expect(service.arrived.map(({ url }) => url)).toEqual([
      '/token',
      '/things',
      '/token',
      '/things',
    ]);
  });

  test.each([
    ['503 with Retry-After in seconds', 503, '2', [2000]],
    ['429 with Retry-After as a date', 429, 'Fri, 01 May 2026 12:00:03 GMT', [3000]],
    ['502 without Retry-After', 502, undefined, [125]],
  ])('tries again after %s', async (_, status, retryAfter, expected) => {
    const client = connect();
    await client['issueToken']?.();
    let failures = 1;
    service.interfere = (_request, response) => {
      if (failures-- <= 0) return false;
      response
        .writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
        .end();
      return true;
    };
    await client['issueToken']?.();
    expect(waits).toEqual(expected);
    const [first, second] = service.arrived.slice(-2).map(({ headers }) => headers);
    expect(second?.['x-request-id']).toBe(first?.['x-request-id']);
    expect(second?.['x-timestamp']).not.toBe(first?.['x-timestamp']);
    expect(second?.['x-hmac-signature']).not.toBe(first?.['x-hmac-signature']);
    expect(service.arrived.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('renews the request id of a retry where the option says so', async () => {
    const client = connect({ requestIdOnRetry: 'renew' });
    await client['issueToken']?.();
    service.interfere = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    await expect(client['issueToken']?.()).rejects.toMatchObject({ status: 503 });
    expect(service.tokenRequests).toBe(4);
    service.interfere = ({ url }, response) => {
      if (url === '/token') return false;
      response.writeHead(503).end();
      return true;
    };
    await expect(client.request('PUT', '/things', {}, { repeatable: true })).rejects.toMatchObject({
      status: 503,
    });
    const puts = service.arrived.filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(3);
    expect(new Set(puts.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });

  test('ends at once where Retry-After asks for more than the longest wait', async () => {
    service.interfere = (_request, response) => {
      response.writeHead(503, { 'retry-after': '3600' }).end();
      return true;
    };
    await expect(connect()['issueToken']?.()).rejects.toMatchObject({ status: 503 });
    expect(service.arrived).toHaveLength(1);
  });

  test('ends an attempt that takes too long, and tries again', async () => {
    let failures = 1;
    service.interfere = () => failures-- > 0;
    await connect({ attemptTimeoutMs: 1000 })['issueToken']?.();
    expect(service.arrived).toHaveLength(2);
    failures = 9;
    const slow = connect({ attemptTimeoutMs: 1000, retry: { attempts: 2 } })['issueToken']?.();
    await expect(slow).rejects.toMatchObject({ code: 'timeout', operation: 'issueToken' });
    expect(service.arrived).toHaveLength(4);
  });

  test('ends with the signal of its caller, and leaves the token request to the others', async () => {
    const stop = new AbortController();
    let letGo: (() => void) | undefined;
    service.interfere = ({ url }, response) => {
      if (url !== '/token') return false;
      service.interfere = undefined;
      letGo = () =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"access_token":"ended","expires_in":60}');
      return true;
    };
    const client = connect();
    const mine = client.request('GET', '/mine', {}, { signal: stop.signal });
    const theirs = client.request('GET', '/theirs');
    await expect.poll(() => letGo).toBeDefined();
    stop.abort(new Error('enough'));
    await expect(mine).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } });
    letGo?.();
    await expect(theirs).resolves.toMatchObject({ status: 200 });
    await expect(
      client.request('GET', '/late', {}, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(service.arrived.some(({ url }) => url === '/mine' || url === '/late')).toBe(false);
  });

  test.each([0, -1, '60', null])('refuses a token that lives %j seconds', async (lifetime) => {
    service.lifetime = lifetime;
    const failed = connect().request('GET', '/things');
    await expect(failed).rejects.toMatchObject({ code: 'invalid-token' });
    expect(service.arrived).toHaveLength(1);
  });

  test('renews a token that claims to live for ages once a day', async () => {
    service.lifetime = 1e12;
    const client = connect();
    await client.request('GET', '/things');
    now += 86_000_000;
    await client.request('GET', '/things');
    expect(service.tokenRequests).toBe(1);
    now += 400_000;
    await client.request('GET', '/things');
    expect(service.tokenRequests).toBe(2);
  });

  test('follows no redirect, and so takes no credentials to another host', async () => {
    await using elsewhere = await startService(() => now);
    service.interfere = ({ url }, response) => {
      if (url === '/token') return false;
      response.writeHead(307, { location: `${elsewhere.baseUrl}/things` }).end();
      return true;
    };
    await expect(connect().request('GET', '/things')).rejects.toMatchObject({
      code: 'redirected',
      status: 307,
    });
    expect(elsewhere.arrived).toEqual([]);
  });

  test.each([
    ['group/project', 'group%2Fproject'],
    ['a%2Fb', 'a%252Fb'],
  ])('signs and sends the path parameter %j as %j', async (id, segment) => {
    await connect().request('GET', '/things/{id}', { path: { id } });
    expect(service.arrived.at(-1)?.url).toBe(`/things/${segment}`);
  });

  test.each(['.', '..', '', '/', 'a/../b', '../x', '%2e%2e', '..%2fx', 'a\r\nb', 'a\nb', '\ud800'])(
    'refuses the path parameter %j before anything is sent',
    async (id) => {
      await expect(
        connect().request('GET', '/things/{id}', { path: { id } }),
      ).rejects.toMatchObject({ code: 'invalid-input' });
      expect(service.arrived.filter(({ url }) => url !== '/token')).toEqual([]);
    },
  );

  test.each([
    '/a/../b',
    '/a/./b',
    '/a/%2e%2e/b',
    '/a b',
    '/a\\b',
    '/é',
    '/a#b',
    'a',
    '@evil.example/',
    '/{id}',
    '',
  ])('refuses the path %j, which would not be sent as it is signed', async (path) => {
    await expect(connect().request('GET', path)).rejects.toMatchObject({ code: 'unsafe-url' });
    expect(service.arrived.filter(({ url }) => url !== '/token')).toEqual([]);
  });

  test.each(['a\r\nx-evil: 1', 'a\n', ' a', 'a ', '\u2028', 'a\0b'])(
    'refuses the header value %j',
    async (value) => {
      const client = connect();
      for (const failed of [
        client.request('GET', '/things', { headers: { 'x-mine': value } }),
        client.request('GET', '/things', {}, { headers: { 'x-mine': value } }),
        connect({ headers: () => ({ 'x-mine': value }) }).request('GET', '/things'),
      ]) {
        await expect(failed).rejects.toMatchObject({ code: 'invalid-input' });
      }
      // White space around a credential is refused when it is given, and nothing else is no credential.
      const ofWhiteSpace = value.trim() === '' ? 'missing-credential' : 'invalid-option';
      const code = value.trim() === value ? 'invalid-input' : ofWhiteSpace;
      await expect(
        (async () => {
          await connect({ credentials: { ...issued, apiKey: value } })['issueToken']?.();
        })(),
      ).rejects.toMatchObject({ code });
      expect(service.arrived).toEqual([]);
    },
  );

  test.each([
    ['text with a slash', 'a/b'],
    ['text in braces before something with braces', '{"a":1'],
  ])('refuses to sign %s, whose signature another request could share', async (_, body) => {
    const failed = connect().request('POST', '/things', { body });
    await expect(failed).rejects.toMatchObject({ code: 'unsignable' });
  });

  test('continues without a token store that fails or hangs, and reports it', async () => {
    const stores: readonly (readonly [string, TokenStore])[] = [
      [
        'throws',
        {
          get: () => {
            throw new Error(issued.clientSecret);
          },
          set: () => {
            throw new Error('full');
          },
        },
      ],
      [
        'rejects',
        {
          get: async () => Promise.reject(new Error('down')),
          set: async () => Promise.reject(new Error('down')),
        },
      ],
      [
        'hangs',
        {
          get: async () => new Promise(() => undefined),
          set: async () => new Promise(() => undefined),
        },
      ],
      [
        'answers with garbage',
        { get: () => ({ token: 7, expires: 'never' }), set: () => undefined },
      ],
    ];
    for (const [name, tokenStore] of stores) {
      events = [];
      const answer = await connect({ tokenStore }).request('GET', '/things');
      expect(answer.status, name).toBe(200);
      const failures = events.filter(({ type }) => type === 'token-store-failure');
      expect(failures.length, name).toBe(name === 'answers with garbage' ? 0 : 2);
    }
  });

  test('shares a token through a store, among clients of the same credentials only', async () => {
    const store = new Map<string, unknown>();
    const tokenStore: TokenStore = {
      get: (key) => store.get(key),
      set: (key, value) => store.set(key, value),
    };
    await connect({ tokenStore }).request('GET', '/things');
    await connect({ tokenStore }).request('GET', '/things');
    expect(service.tokenRequests).toBe(1);
    service.revoke();
    await connect({ tokenStore }).request('GET', '/things');
    expect(service.tokenRequests).toBe(2);
    const other = { ...issued, clientId: 'another client' };
    await expect(
      connect({ tokenStore, credentials: other }).request('GET', '/things'),
    ).rejects.toMatchObject({ code: 'unexpected-status', status: 403 });
    expect([...store.keys()]).not.toEqual([]);
    for (const key of store.keys()) {
      for (const secret of Object.values(issued)) expect(key).not.toContain(secret);
    }
  });

  test('shows no secret, in any failure and any way of inspection', async () => {
    const token = 'header.payload.signature-of-a-token';
    const secrets = [
      ...Object.values(issued),
      token,
      encodeURIComponent(issued.clientSecret),
      new URLSearchParams({ x: issued.clientSecret }).toString().slice(2),
    ];
    const seen: unknown[] = [];
    const client = connect({
      fetch: async (url: string, init: RequestInit) => {
        if (url.endsWith('/token')) {
          secrets.push(new Headers(init.headers).get('x-hmac-signature') ?? 'none');
          return Response.json({ access_token: token, expires_in: 60 });
        }
        const headers = [...new Headers(init.headers)];
        throw Object.assign(new TypeError(`cannot send ${JSON.stringify(headers)}`), {
          config: { headers },
          cause: new Error(`because of ${headers.join()}`),
        });
      },
    });
    const quoting = async (_: string, init: RequestInit): Promise<Response> => {
      const body = new TextDecoder().decode(init.body as Uint8Array);
      throw new TypeError(`cannot send ${body} ${decodeURIComponent(body)}`);
    };
    const failures: readonly (() => unknown)[] = [
      () => connect({ fetch: quoting })['issueToken']?.(),
      () => client.request('GET', '/things'),
      () => connect({ credentials: { ...issued, signingSecret: '' } })['issueToken']?.(),
      () => connect({ credentials: { ...issued, apiKey: `${issued.apiKey}\n` } })['issueToken']?.(),
      async () => connect({ timestampFormat: 'sundial' }),
      async () => connect({ baseUrl: `https://${issued.apiKey}:x@service.example` }),
    ];
    for (const failure of failures) {
      const error: unknown = await Promise.resolve()
        .then(failure)
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(module.ClientError);
      seen.push(error);
    }
    seen.push(client, events);
    for (const thing of seen) {
      const shown = [
        inspect(thing, { depth: 20, showHidden: true }),
        JSON.stringify(thing),
        String(thing),
        thing instanceof Error ? thing.stack : '',
      ].join('\n');
      for (const secret of secrets) expect(shown).not.toContain(secret);
    }
  });

  test.each([
    ['no address', { baseUrl: '' }, 'invalid-option'],
    [
      'an address that is not a URL of HTTP',
      { baseUrl: 'ftp://service.example' },
      'invalid-option',
    ],
    ['a choice that is none', { signedPath: 'constructor' }, 'invalid-option'],
  ])('refuses %s at once', (_, options, code) => {
    expect(() => connect(options)).toThrow(expect.objectContaining({ code }));
  });

  test.each(['apiKey', 'signingSecret', 'clientId', 'clientSecret'])(
    'refuses a call without %s before anything is sent',
    async (name) => {
      const client = connect({ credentials: { ...issued, [name]: '' } });
      await expect(client.request('GET', '/things')).rejects.toMatchObject({
        code: 'missing-credential',
      });
      expect(service.arrived).toEqual([]);
    },
  );

  test('tells everything that happens', async () => {
    await connect().request('GET', '/things');
    expect(events.map(({ type, ...rest }) => [type, 'path' in rest ? rest.path : ''])).toEqual([
      ['request', '/token'],
      ['response', '/token'],
      ['request', '/things'],
      ['response', '/things'],
    ]);
    const logger = connect({
      onEvent: () => {
        throw new Error('disk full');
      },
    });
    expect((await logger.request('GET', '/things')).status).toBe(200);
  });

  test('writes the token and the timestamp as the options say', async () => {
    service.interfere = ({ url }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(url === '/token' ? '{"access_token":"abc","expires_in":60}' : '{}');
      return true;
    };
    await connect({ authorizationForm: 'bearer', timestampFormat: 'unix-seconds' }).request(
      'GET',
      '/x',
    );
    expect(service.arrived[1]?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-timestamp': String(now / 1000),
    });
  });
});

test('only the checked entry refuses a token that is not what the contract says', async () => {
  service.lifetime = 1.5;
  const options = { baseUrl: service.baseUrl, credentials: issued, clock: () => now };
  const checked = entries.checked.createClient(options);
  const unchecked = entries.unchecked.createClient(options);
  await expect(checked['issueToken']?.()).rejects.toMatchObject({
    code: 'invalid-response',
    cause: { name: 'ValidationError' },
  });
  await expect(unchecked['issueToken']?.()).resolves.toMatchObject({ body: { expires_in: 1.5 } });
});
