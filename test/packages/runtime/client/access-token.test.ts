import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  accessToken,
  connect,
  fromJson,
  type Answer,
  type ClientEvent,
  type Connection,
  type ConnectionOptions,
  type OperationData,
  type StoredToken,
} from '../../../../packages/runtime/client/client.ts';
import { startServer, type TestServer } from './server.ts';

const issueToken: OperationData = {
  id: 'issueToken',
  method: 'POST',
  path: '/token',
  security: [],
  responses: { '200': { 'application/json': fromJson }, '503': {} },
};
const balance: OperationData = {
  id: 'getBalance',
  method: 'GET',
  path: '/balance',
  responses: { '200': { 'application/json': fromJson }, '401': { 'application/json': fromJson } },
};
const pay: OperationData = { ...balance, id: 'pay', method: 'POST', path: '/pay' };

let server: TestServer;
let now: number;
/** The token that the service accepts, and issues as long as `isReissued` says so. */
let valid: string;
let isReissued: boolean;
let isDown: boolean;
/** How many of the next requests for the balance are answered with 401, whatever their token is. */
let refusals: number;
let events: ClientEvent[];

const json = (response: ServerResponse, status: number, body: unknown): unknown =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

beforeEach(async () => {
  now = 1_000_000;
  valid = 'token-1';
  isReissued = true;
  isDown = false;
  refusals = 0;
  events = [];
  let issued = 0;
  server = await startServer(({ url, headers }, response) => {
    if (url === '/token') {
      if (isDown) return response.writeHead(503).end();
      if (!isReissued) valid = `token-${++issued}`;
      return json(response, 200, { token: valid, seconds: 3600 });
    }
    if (url === '/balance' && refusals-- > 0) return json(response, 401, { why: 'no' });
    return headers.authorization === valid
      ? json(response, 200, {})
      : json(response, 401, { why: 'token' });
  });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await server[Symbol.asyncDispose]();
});

const requests = (path: string): number => server.arrived.filter(({ url }) => url === path).length;

function client(options: Partial<ConnectionOptions> = {}): Connection {
  return connect(
    {
      baseUrl: server.baseUrl,
      clock: () => now,
      sleep: async () => undefined,
      onEvent: (event) => events.push(event),
      ...options,
    },
    {
      everyRequest: [],
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
    },
  );
}

async function settle(calls: readonly Promise<unknown>[]): Promise<readonly number[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((result) =>
    result.status === 'fulfilled'
      ? (result.value as Answer).status
      : (result.reason as { readonly status: number }).status,
  );
}

/** Makes calls one after the other. */
async function inTurn(count: number, call: () => Promise<unknown>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push(...(await settle([call()])));
  return statuses;
}

const times = (count: number, status: number): number[] => Array(count).fill(status) as number[];

describe.each([
  ['the service issues the same token again', true],
  ['the service issues another token each time', false],
])('where %s', (_, isSame) => {
  beforeEach(() => {
    isReissued = isSame;
  });

  test('one 401 costs one token request, in 100 calls', async () => {
    const connection = client();
    refusals = 1;
    expect(await inTurn(50, () => connection.call(balance))).toEqual(times(50, 200));
    expect(await inTurn(50, () => connection.call(pay))).toEqual(times(50, 200));
    expect(requests('/token')).toBe(2);
    expect(requests('/balance')).toBe(51);
  });

  test('a resource that always answers with 401 costs one token request, in 100 calls', async () => {
    const connection = client();
    refusals = Infinity;
    expect(await inTurn(50, () => connection.call(balance))).toEqual(times(50, 401));
    expect(await inTurn(50, () => connection.call(pay))).toEqual(times(50, 200));
    expect(await settle(Array.from({ length: 50 }, () => connection.call(balance)))).toEqual(
      times(50, 401),
    );
    expect(requests('/token')).toBe(2);
    // The first refused call is sent twice.
    expect(requests('/balance')).toBe(101);
    await expect(connection.call(balance)).rejects.toMatchObject({
      code: 'failure-status',
      status: 401,
      declaredStatus: '401',
      operation: 'getBalance',
      body: { why: 'no' },
    });
  });

  test('100 parallel calls that are refused cost one token request', async () => {
    const connection = client();
    await connection.call(pay);
    refusals = Infinity;
    const calls = Array.from({ length: 100 }, () => connection.call(balance));
    expect(await settle(calls)).toEqual(times(100, 401));
    expect(requests('/token')).toBe(2);
  });

  test('the client finds out again after a minute', async () => {
    const connection = client();
    refusals = Infinity;
    await inTurn(3, () => connection.call(balance));
    expect(requests('/token')).toBe(2);
    now += 61_000;
    await inTurn(3, () => connection.call(balance));
    expect(requests('/token')).toBe(3);
  });

  test.each([1, Infinity])(
    'two clients with one store share the renewal, for %j refusals',
    async (count) => {
      const tokenStore = new Map<string, unknown>();
      const [first, second] = [client({ tokenStore }), client({ tokenStore })];
      expect(await settle([first.call(pay)])).toEqual([200]);
      expect(await settle([second.call(pay)])).toEqual([200]);
      refusals = count;
      const calls = Array.from({ length: 50 }, () => [first, second] as const).flat();
      const statuses = await inTurn(100, () => (calls.shift() ?? first).call(balance));
      expect(statuses).toEqual(times(100, count === 1 ? 200 : 401));
      expect(requests('/token')).toBe(2);
      expect(await settle([first.call(pay), second.call(pay)])).toEqual([200, 200]);
      expect(requests('/token')).toBe(2);
    },
  );

  test.each([
    ['fails', async () => await Promise.reject(new Error('down'))],
    ['hangs', async () => await new Promise(() => undefined)],
  ])(
    'a store that %s costs no further token request',
    async (how, act) => {
      const tokenStore = { get: act, set: act };
      const connection = client({ tokenStore });
      refusals = Infinity;
      expect(await inTurn(20, () => connection.call(balance))).toEqual(times(20, 401));
      expect(await inTurn(20, () => connection.call(pay))).toEqual(times(20, 200));
      expect(requests('/token')).toBe(2);
      expect(
        events.filter(({ type }) => type === 'token-store-failure'),
        how,
      ).toHaveLength(4);
    },
    20_000,
  );
});

test('a token that was revoked is replaced at once, also in another client', async () => {
  isReissued = false;
  const tokenStore = new Map<string, unknown>();
  const [first, second] = [client({ tokenStore }), client({ tokenStore })];
  expect(await settle([first.call(pay), second.call(pay)])).not.toContain(401);
  const before = requests('/token');
  valid = 'revoked';
  expect(await settle(Array.from({ length: 20 }, () => first.call(pay)))).toEqual(times(20, 200));
  expect(await settle([second.call(pay)])).toEqual([200]);
  expect(requests('/token')).toBe(before + 1);
});

test('an entry of a store without the time of its issue is renewed after a refusal', async () => {
  isReissued = false;
  const tokenStore = new Map<string, unknown>();
  await client({ tokenStore }).call(pay);
  for (const [key, entry] of tokenStore) {
    const { token, expires } = entry as StoredToken;
    expect((entry as StoredToken).issued).toBe(now);
    tokenStore.set(key, { token, expires });
  }
  valid = 'revoked';
  expect(await settle([client({ tokenStore }).call(pay)])).toEqual([200]);
  expect(requests('/token')).toBe(2);
});

describe('where no token can be renewed', () => {
  test('the refused call reports the 401 with the reason, and others go on with the token', async () => {
    const connection = client();
    await connection.call(pay);
    isDown = true;
    refusals = Infinity;
    await expect(connection.call(balance)).rejects.toMatchObject({
      code: 'failure-status',
      status: 401,
      operation: 'getBalance',
      body: { why: 'no' },
      cause: { code: 'failure-status', status: 503, operation: 'issueToken' },
    });
    const [refused, ...others] = await settle([
      connection.call(balance),
      ...Array.from({ length: 20 }, () => connection.call(pay)),
    ]);
    expect([refused, ...others]).toEqual([401, ...times(20, 200)]);
    isDown = false;
    refusals = 0;
    expect(await settle([connection.call(balance)])).toEqual([200]);
  });

  test('also if that takes longer than the call', async () => {
    // Without a network, so that only the second token request takes time.
    const answers: Record<string, (signal: AbortSignal | null | undefined) => Promise<Response>> = {
      '/balance': async () => Response.json({}, { status: 401 }),
      '/token': async () => {
        answers['/token'] = async (signal) =>
          await new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason as Error));
          });
        return Response.json({ token: 'token-1', seconds: 3600 });
      },
    };
    const connection = client({
      fetch: async (url, { signal }) =>
        (await answers[new URL(url).pathname]?.(signal)) ?? Response.error(),
      timeoutMs: 300,
    });
    await expect(connection.call(balance)).rejects.toMatchObject({
      code: 'failure-status',
      status: 401,
    });
  });

  test('a call without any token reports the failure of the token request', async () => {
    isDown = true;
    await expect(client().call(balance)).rejects.toMatchObject({
      code: 'failure-status',
      status: 503,
      operation: 'issueToken',
    });
    expect(requests('/balance')).toBe(0);
  });
});
