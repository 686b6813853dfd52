import { describe, expect, test } from 'vitest';
import {
  accessToken,
  apiKey,
  basic,
  bearer,
  fromJson,
  outside,
  serverAddresses,
  signature,
  type Authorizer,
  type ClientEvent,
  type ConnectionOptions,
  type Input,
  type OperationData,
  type Service,
} from '../../../../packages/runtime/client/client.ts';
import { connect } from './connect.ts';

const issueToken: OperationData = {
  id: 'issueToken',
  method: 'POST',
  path: '/token',
  security: [['own']],
  body: { content: { 'application/json': (value) => Response.json(value) } },
  parameters: [
    { in: 'query', name: 'audience', style: (name, value) => `${name}=${String(value)}` },
  ],
  responses: { '200': { 'application/json': fromJson } },
};

interface Sent {
  readonly url: string;
  readonly headers: Headers;
}

/** A service whose tokens contain a hash of everything that their request carried. */
function startService(): {
  readonly fetch: NonNullable<ConnectionOptions['fetch']>;
  readonly tokenRequests: Sent[];
  readonly calls: Sent[];
} {
  const tokenRequests: Sent[] = [];
  const calls: Sent[] = [];
  return {
    tokenRequests,
    calls,
    async fetch(url, { headers, body }) {
      const sent = { url, headers: new Headers(headers) };
      if (!url.includes('token')) {
        calls.push(sent);
        return Response.json({});
      }
      tokenRequests.push(sent);
      const bytes = body instanceof Uint8Array ? Buffer.from(body).toString() : '';
      const carried = JSON.stringify([url, [...sent.headers], bytes]);
      const token = Buffer.from(carried).toString('base64url');
      return Response.json({ token, other: `other.${token}`, seconds: 60 });
    },
  };
}

interface Account {
  readonly own: Authorizer;
  readonly input?: Input;
  readonly options?: Partial<ConnectionOptions>;
  readonly operation?: Partial<OperationData>;
  readonly place?: string;
  readonly schemes?: Service['schemes'];
}

function serviceOf({
  own: authorizer,
  input,
  operation,
  place = 'token',
  schemes,
}: Account): Service {
  const issuing = { ...issueToken, ...operation };
  const token = accessToken(
    {
      operation: issuing,
      token: { body: [place] },
      lifetime: { body: ['seconds'] },
      value: '{token}',
    },
    true,
  );
  return {
    everyRequest: [],
    schemes: { ...schemes, own: authorizer, token },
    createAddresses: serverAddresses({
      root: { url: 'https://api.example' },
      ofOperations: { other: { url: 'https://other.example' } },
    }),
    security: [['token']],
    ...(input === undefined ? {} : { inputs: { [issuing.id]: input } }),
  };
}

type Store = Map<string, unknown>;

/** Makes one call for each account, with one store. Returns the tokens that the calls carried. */
async function tokensOf(
  accounts: readonly Account[],
  store: Store = new Map(),
  events: ClientEvent[] = [],
): Promise<{ readonly tokens: readonly (string | null)[]; readonly requests: number }> {
  const service = startService();
  for (const account of accounts) {
    const options: ConnectionOptions = {
      baseUrl: 'https://service.example',
      fetch: service.fetch,
      tokenStore: store,
      onEvent: (event) => events.push(event),
      ...account.options,
    };
    await connect(options, serviceOf(account)).request('GET', '/balance');
  }
  return {
    tokens: service.calls.map(({ headers }) => headers.get('authorization')),
    requests: service.tokenRequests.length,
  };
}

const createSigner = (
  _: unknown,
  { key }: { readonly key: string | Uint8Array },
): { readonly sign: () => Record<string, string> } => ({
  sign: () => ({ 'x-signature': Buffer.from(key).toString('hex') }),
});
const signed = (key: string | Uint8Array): Authorizer =>
  signature(createSigner, { header: 'x-signature' }, key);

const key = apiKey('headers', 'x-key', 'the key of both');

/** A token of the operation `/first/token`, which requires the given scheme. */
const tokenOf = (scheme: string): Authorizer =>
  accessToken(
    {
      operation: { ...issueToken, id: 'first', path: '/first/token', security: [[scheme]] },
      token: { body: ['token'] },
      value: '{token}',
    },
    true,
  );

/** Accounts that differ in one credential, and the texts that no key of a store may contain. */
const pairs: readonly (readonly [string, (account: 'alice' | 'mallory') => Account])[] = [
  ['basic, the name', (username) => ({ own: basic({ username, password: 'the same' }) })],
  ['basic, the password', (password) => ({ own: basic({ username: 'the same', password }) })],
  ['a key in a header', (name) => ({ own: apiKey('headers', 'x-key', name) })],
  ['a key in a query', (name) => ({ own: apiKey('query', 'key', name) })],
  ['a key in a cookie', (name) => ({ own: apiKey('cookies', 'session', name) })],
  ['a bearer token', (name) => ({ own: bearer('Bearer', name) })],
  ['the key of a signature', (name) => ({ own: signed(name) })],
  ['the key of a signature, bytes', (name) => ({ own: signed(new TextEncoder().encode(name)) })],
  ['a property of the body', (name) => ({ own: key, input: { body: { client_id: name } } })],
  ['a parameter', (audience) => ({ own: key, input: { query: { audience } } })],
  ['a header of the client', (name) => ({ own: key, options: { headers: { 'X-Tenant': name } } })],
  [
    'a cookie of the client',
    (name) => ({ own: key, options: { headers: { Cookie: `a=${name}` } } }),
  ],
  ['the host', (name) => ({ own: key, options: { baseUrl: `https://${name}.example` } })],
  ['the base path', (name) => ({ own: key, options: { baseUrl: `https://a.example/${name}` } })],
  ['the path', (name) => ({ own: key, operation: { path: `/${name}/token` } })],
  [
    'the server',
    (name) => ({
      own: key,
      operation: { server: 'other' },
      options: { baseUrls: { other: `https://${name}.example` } },
    }),
  ],
  [
    'the credentials of the token that the token request needs',
    (name) => ({ own: tokenOf('base'), schemes: { base: apiKey('headers', 'x-base', name) } }),
  ],
];

describe('a token store that accounts share', () => {
  test.each(pairs)('never mixes accounts that differ in %s', async (_, accountOf) => {
    const store: Store = new Map();
    const accounts = [accountOf('alice'), accountOf('mallory'), accountOf('alice')];
    const { tokens, requests } = await tokensOf(accounts, store);
    expect(requests % 2).toBe(0);
    expect(store.size).toBe(requests);
    expect(tokens[0]).not.toBe(tokens[1]);
    expect(tokens[2]).toBe(tokens[0]);
    for (const key of store.keys()) {
      expect(key).toMatch(/^countersign:[0-9a-f]{64}$/);
      expect(key).not.toContain(Buffer.from('alice').toString('hex'));
    }
  });

  test('tells the tokens of one operation apart', async () => {
    const { tokens } = await tokensOf([
      { own: key, place: 'token' },
      { own: key, place: 'other' },
    ]);
    expect(tokens[1]).toBe(`other.${tokens[0]}`);
  });

  test.each([
    ['a text and a number', { id: '1' }, { id: 1 }],
    ['a list and a text', { id: ['a', 'b'] }, { id: 'a,b' }],
    ['members in another structure', { a: { b: 'c' } }, { a: '{"b":"c"}' }],
    ['a name with the value of another', { a: 'b', c: 'd' }, { a: 'b","c":"d' }],
    ['lone surrogates', { a: '\ud800' }, { a: '\udfff' }],
    ['null and a text', { a: null }, { a: 'null' }],
  ])('distinguishes %s', async (_, first, second) => {
    const store: Store = new Map();
    await tokensOf(
      [first, second].map((body) => ({ own: key, input: { body } })),
      store,
    );
    expect(store.size).toBe(2);
  });

  test('ignores what does not change the request', async () => {
    const bodies = [
      { a: '1', b: '2' },
      { b: '2', a: '1', c: undefined },
    ];
    const headers = [
      { 'X-A': '1', b: '2' },
      { B: '2', 'x-a': '1' },
    ];
    const { requests } = await tokensOf(
      [0, 1].map((index) => ({
        own: key,
        input: { body: bodies[index] },
        options: { headers: headers[index] ?? {} },
      })),
    );
    expect(requests).toBe(1);
  });
});

/** Credentials that the client cannot know. */
const unknown: readonly (readonly [string, () => Account])[] = [
  ['a token function', () => ({ own: bearer('Bearer', () => 'from a function') })],
  ['a function for headers', () => ({ own: key, options: { headers: () => ({ 'x-a': 'b' }) } })],
  ['the connection', () => ({ own: outside() })],
  ['an authorizer of the application', () => ({ own: { ready: true, prepare: () => () => {} } })],
  ['an object of a class', () => ({ own: key, input: { body: new URLSearchParams('a=b') } })],
  ['fetch alone', () => ({ own: key, operation: { security: [] } })],
];

describe('credentials that the client cannot know', () => {
  test.each(unknown)('from %s: no token is shared, and it is reported', async (_, accountOf) => {
    const store: Store = new Map();
    const events: ClientEvent[] = [];
    const { requests } = await tokensOf([accountOf(), accountOf()], store, events);
    expect([requests, store.size]).toEqual([2, 0]);
    expect(events.filter(({ type }) => type === 'token-store-skipped')).toHaveLength(2);
  });

  test.each(unknown)('from %s: a key shares the token of one account', async (_, accountOf) => {
    const named = (tokenStoreKey: string): Account => {
      const account = accountOf();
      return { ...account, options: { ...account.options, tokenStoreKey } };
    };
    const store: Store = new Map();
    const { requests } = await tokensOf([named('a'), named('b'), named('a')], store);
    expect([requests, store.size]).toEqual([2, 2]);
  });

  test('a key never joins accounts whose credentials are known to differ', async () => {
    const { requests } = await tokensOf(
      ['alice', 'mallory'].map((password) => ({
        own: basic({ username: 'a', password }),
        options: { headers: () => ({}), tokenStoreKey: 'the same' },
      })),
    );
    expect(requests).toBe(2);
  });

  test.each(['', 5, null])('a key must be a text: %j', (tokenStoreKey) => {
    const options = { baseUrl: 'https://a.example', tokenStoreKey } as ConnectionOptions;
    expect(() => connect(options, serviceOf({ own: key }))).toThrow(
      expect.objectContaining({ code: 'invalid-option' }) as Error,
    );
  });
});

test('connections with one service object never share a token in memory', async () => {
  const service = startService();
  const both = serviceOf({ own: key });
  await Promise.all(
    ['one', 'two'].map(async (host) => {
      const options = { baseUrl: `https://${host}.example`, fetch: service.fetch };
      await connect(options, both).request('GET', '/balance');
    }),
  );
  const tokens = service.calls.map(({ headers }) => headers.get('authorization'));
  expect(new Set(tokens).size).toBe(2);
});

interface Credentials {
  readonly username?: string;
  readonly key?: string | (() => string);
}

/** A client whose calls can be made for other accounts. */
function multiAccount(options: Partial<ConnectionOptions> = {}) {
  const service = startService();
  const accountOf = ({ username = 'none', key }: Credentials) => ({
    ...serviceOf({ own: basic({ username, password: 'the same' }) }),
    schemes: {
      ...serviceOf({ own: basic({ username, password: 'the same' }) }).schemes,
      key: bearer('', key),
    },
  });
  const client = connect(
    { baseUrl: 'https://service.example', fetch: service.fetch, ...options },
    { ...accountOf({ username: 'client' }), accountOf },
  );
  const call = async (credentials?: object, more = {}): Promise<string> => {
    const account = credentials === undefined ? {} : { credentials };
    await client.request('GET', '/balance', {}, { ...account, ...more });
    const token = service.calls.at(-1)?.headers.get('authorization') ?? '';
    const [, headers] = JSON.parse(Buffer.from(token, 'base64url').toString()) as [
      string,
      [string, string][],
    ];
    const encodedCredentials = new Map(headers).get('authorization')?.replace('Basic ', '') ?? '';
    return Buffer.from(encodedCredentials, 'base64').toString().split(':')[0] ?? '';
  };
  return { ...service, client, call };
}

describe('the option credentials of a call', () => {
  test.each([undefined, new Map()])('uses the tokens of that account (%s)', async (tokenStore) => {
    const { call, tokenRequests } = multiAccount(tokenStore === undefined ? {} : { tokenStore });
    expect(await call()).toBe('client');
    expect(await call({ username: 'alice' })).toBe('alice');
    expect(await call({ username: 'mallory' })).toBe('mallory');
    // Another object with the same credentials is the same account.
    expect(await call({ username: 'alice' })).toBe('alice');
    expect(await call()).toBe('client');
    expect(tokenRequests).toHaveLength(3);
  });

  test('does not join the token request of another account', async () => {
    const { client, calls, tokenRequests } = multiAccount();
    const names = ['alice', 'mallory', 'alice', 'mallory'];
    await Promise.all(
      names.map(
        async (username) =>
          await client.request('GET', '/balance', {}, { credentials: { username } }),
      ),
    );
    expect(tokenRequests).toHaveLength(2);
    expect(new Set(calls.map(({ headers }) => headers.get('authorization'))).size).toBe(2);
  });

  test('notices that an object of credentials was changed', async () => {
    const { call } = multiAccount();
    const credentials = { username: 'alice' };
    expect(await call(credentials)).toBe('alice');
    credentials.username = 'mallory';
    expect(await call(credentials)).toBe('mallory');
  });

  test('keeps the accounts that were used last', async () => {
    const { call, tokenRequests } = multiAccount();
    for (let index = 0; index < 1000; index++) {
      await call({ username: `a${index}` });
      await call({ username: 'often' });
    }
    expect(tokenRequests).toHaveLength(1001);
    await call({ username: 'often' });
    await call({ username: 'a999' });
    expect(tokenRequests).toHaveLength(1001);
    await call({ username: 'a0' });
    expect(tokenRequests).toHaveLength(1002);
  });

  test('shares no token of functions, unless the call names a key', async () => {
    const tokenStore = new Map();
    const { call } = multiAccount({ tokenStore, headers: () => ({}), tokenStoreKey: 'client' });
    await call({ username: 'alice' });
    expect(tokenStore.size).toBe(0);
    await call({ username: 'alice' }, { tokenStoreKey: 'alice' });
    expect(tokenStore.size).toBe(1);
    await call();
    expect(tokenStore.size).toBe(2);
  });

  test('tells functions apart', async () => {
    const { call, tokenRequests } = multiAccount();
    const ofAlice = (): string => 'alice';
    await call({ key: ofAlice });
    await call({ key: ofAlice });
    await call({ key: () => 'mallory' });
    expect(tokenRequests).toHaveLength(2);
  });

  test.each([
    ['that were not found', { credentials: undefined }],
    ['null', { credentials: null }],
    ['a text', { credentials: 'alice' }],
    ['a key alone', { tokenStoreKey: 'alice' }],
    ['an empty key', { credentials: { username: 'a' }, tokenStoreKey: '' }],
  ])('refuses %s', async (_, options) => {
    const { client, tokenRequests } = multiAccount();
    await expect(client.request('GET', '/balance', {}, options as object)).rejects.toMatchObject({
      code: 'invalid-option',
    });
    expect(tokenRequests).toHaveLength(0);
  });

  test('is refused by a client without credentials', async () => {
    const client = connect(
      { baseUrl: 'https://a.example', fetch: startService().fetch },
      serviceOf({ own: key }),
    );
    await expect(
      client.request('GET', '/a', {}, { credentials: { username: 'a' } }),
    ).rejects.toMatchObject({ code: 'invalid-option' });
  });
});

/** A call that names a credential of the client, whose key is `A`. */
const naming: readonly (readonly [
  string,
  {
    readonly path?: string;
    readonly input?: Input;
    readonly call?: Record<string, string>;
    readonly client?: ConnectionOptions['headers'];
  },
])[] = [
  ['a header of the call', { call: { 'x-key': 'B' } }],
  ['a header in another case', { call: { 'X-KEY': 'B' } }],
  ['the header of a token', { call: { Authorization: 'Bearer B' } }],
  ['the header of a signature', { call: { 'X-Signature': 'B' } }],
  ['a header parameter', { input: { headers: { 'X-Key': 'B' } } }],
  ['a header of the client', { client: { 'X-Key': 'B' } }],
  ['a header from a function of the client', { client: () => ({ 'X-Key': 'B' }) }],
  ['a cookie', { input: { cookies: { session: 'B' } } }],
  ['a cookie in the header', { call: { cookie: 'theme=dark; session=B' } }],
  ['a cookie in the header of the client', { client: { Cookie: 'session=B' } }],
  ['a cookie with an escaped name', { call: { cookie: 'sess%69on=B' } }],
  ['a query parameter', { input: { query: { key: 'B' } } }],
  ['a query parameter in another case', { input: { query: { KEY: 'B' } } }],
  ['a member of an exploded query parameter', { input: { query: { filter: { key: 'B' } } } }],
  ['a query in the path', { path: '/balance?a=1&k%65y=B' }],
];

const credentialSchemes = (value: string): Service['schemes'] => ({
  header: apiKey('headers', 'x-key', value),
  query: apiKey('query', 'key', value),
  cookie: apiKey('cookies', 'session', value),
  bearer: bearer('Bearer', value),
  signature: signed(value),
});

describe('a call that names a credential', () => {
  test.each(naming)('in %s is refused before anything is sent', async (_, { path, ...attempt }) => {
    const { fetch, calls } = startService();
    const { input, call = {}, client } = attempt;
    const headers = client === undefined ? {} : { headers: client };
    const connection = connect(
      { baseUrl: 'https://service.example', fetch, ...headers },
      { everyRequest: [], schemes: credentialSchemes('A'), security: [['header']] },
    );
    const failed = connection.request('GET', path ?? '/balance', input, { headers: call });
    await expect(failed).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('names a credential'),
    });
    await expect(failed).rejects.not.toThrow(/\bB\b/);
    expect(calls).toHaveLength(0);
  });

  test('in an input that the contract does not declare is refused, too', async () => {
    const { fetch, calls } = startService();
    const connection = connect(
      { baseUrl: 'https://service.example', fetch },
      { everyRequest: [], schemes: credentialSchemes('A'), security: [['header'], ['query']] },
    );
    const operation: OperationData = {
      id: 'a',
      method: 'GET',
      path: '/a',
      responses: { '2XX': {} },
    };
    for (const input of [{ headers: { 'x-key': 'B' } }, { query: { key: 'B' } }]) {
      await expect(connection.call(operation, input)).rejects.toMatchObject({
        code: 'invalid-input',
      });
    }
    expect(calls).toHaveLength(0);
  });

  test('is made where its operation needs no credentials, and errors do not show the value', async () => {
    const seen: string[] = [];
    const connection = connect(
      {
        baseUrl: 'https://service.example',
        fetch: async (_, { headers }) => {
          seen.push(new Headers(headers).get('x-key') ?? '');
          throw Object.assign(new Error('cannot send B-secret'), { code: 'ECONNRESET' });
        },
      },
      { everyRequest: [], schemes: credentialSchemes('A'), security: [] },
    );
    const failed = connection.request('POST', '/open', {}, { headers: { 'X-Key': 'B-secret' } });
    await expect(failed).rejects.toMatchObject({
      code: 'network',
      cause: { message: 'cannot send [redacted]' },
    });
    expect(seen).toEqual(['B-secret']);
  });

  test('can have a header that only resembles one', async () => {
    const { fetch, calls } = startService();
    const connection = connect(
      { baseUrl: 'https://service.example', fetch, headers: { cookie: 'theme=dark' } },
      { everyRequest: [], schemes: credentialSchemes('A'), security: [['header', 'cookie']] },
    );
    const input = { query: { keys: 'B' }, cookies: { lang: 'de' } };
    await connection.request('GET', '/balance', input, { headers: { 'x-keys': 'B' } });
    const [sent] = calls;
    expect(sent?.headers.get('x-key')).toBe('A');
    expect(sent?.headers.get('x-keys')).toBe('B');
    expect(sent?.headers.get('cookie')).toBe('lang=de; theme=dark; session=A');
  });
});

test.each([
  ['of a parameter', { headers: { 'x-id': '1' } }],
  ['of every request', {}],
])('a header of the call is never dropped for that %s', async (_, input) => {
  const { fetch, calls } = startService();
  const connection = connect(
    { baseUrl: 'https://service.example', fetch },
    {
      everyRequest: [
        {
          in: 'headers',
          name: 'x-id',
          style: (__, value) => String(value),
          value: 'uuid',
          retry: 'keep',
        },
      ],
      schemes: {},
      security: [],
    },
  );
  await expect(
    connection.request('GET', '/a', input, { headers: { 'X-Id': '2' } }),
  ).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('X-Id') });
  expect(calls).toHaveLength(0);
});
