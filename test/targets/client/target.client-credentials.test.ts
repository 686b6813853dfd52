import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveWithSamples } from '../../packages/simulator/target/serve-with-samples.ts';
import { createSimulator } from '../../../packages/simulator/src/index.ts';
import { importModule, type ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const tokenUrl = 'https://login.bank.example/oauth2/token';
const responses = {
  200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } },
};

function bank(url = tokenUrl, more: object = {}): object {
  const scopes = { 'cob.read': 'Reads.', 'cob.write': 'Writes.' };
  return {
    openapi: '3.0.3',
    info: { title: 'Bank', version: '1.0.0' },
    servers: [{ url: 'https://api.bank.example/v1' }],
    paths: {
      '/cob': {
        get: { operationId: 'getCob', security: [{ oauth: ['cob.read'] }], responses },
        put: {
          operationId: 'putCob',
          security: [{ oauth: ['cob.write', 'cob.read'] }],
          responses,
        },
        delete: { operationId: 'deleteCob', security: [{ oauth: [] }], responses },
      },
      '/open': { get: { operationId: 'open', security: [], responses } },
    },
    components: {
      securitySchemes: {
        oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: url, scopes } } },
      },
    },
    ...more,
  };
}

interface Sent {
  readonly url: string;
  readonly authorization: string | null;
  readonly body: string;
}

/** A `fetch` that issues tokens and records requests. */
function createService(issue: (count: number) => unknown = () => ({ expires_in: 3600 })) {
  const sent: Sent[] = [];
  let count = 0;
  const service = {
    sent,
    refused: new Set<string>(),
    get tokens() {
      return sent.filter(({ body }) => body.includes('grant_type'));
    },
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const authorization = new Headers(init.headers).get('authorization');
      const body = await new Response(init.body).text();
      sent.push({ url, authorization, body });
      if (!body.includes('grant_type')) {
        const isRefused = service.refused.has(authorization ?? '');
        return Response.json({}, { status: isRefused ? 401 : 200 });
      }
      count += 1;
      const answer = issue(count);
      if (answer instanceof Response) return answer;
      return Response.json({ access_token: `t${count}`, token_type: 'Bearer', ...Object(answer) });
    },
  };
  return service;
}

const oauth = { clientId: 'shop 1', clientSecret: 's&cret:é' };
const pair = Buffer.from('shop+1:s%26cret%3A%C3%A9').toString('base64');

describe('a client with the client credentials flow', () => {
  let generated: GeneratedClient;
  let module: ClientModule;

  beforeAll(async () => {
    generated = await generateClient(await readOpenapi(bank()));
    module = await importModule(generated.client);
  });
  afterAll(() => generated[Symbol.asyncDispose]());

  test('obtains a token with Basic credentials and the scopes of the call, once for all calls', async () => {
    const service = createService();
    const client = module.createClient({ credentials: { oauth }, fetch: service.fetch });
    await Promise.all([client['getCob']?.(), client['getCob']?.(), client['getCob']?.()]);
    expect(service.tokens).toEqual([
      {
        url: tokenUrl,
        authorization: `Basic ${pair}`,
        body: 'grant_type=client_credentials&scope=cob.read',
      },
    ]);
    await client['putCob']?.();
    await client['deleteCob']?.();
    await client['getCob']?.();
    expect(service.tokens.slice(1).map(({ body }) => body)).toEqual([
      'grant_type=client_credentials&scope=cob.read+cob.write',
      'grant_type=client_credentials',
    ]);
    expect(service.sent.map(({ authorization }) => authorization).at(-1)).toBe('Bearer t1');
  });

  test('names a redirect of the token endpoint, and does not follow it', async () => {
    const service = createService(
      () => new Response('', { status: 302, headers: { location: 'https://other.example/' } }),
    );
    const client = module.createClient({ credentials: { oauth }, fetch: service.fetch });
    await expect(client['getCob']?.()).rejects.toMatchObject({ code: 'redirected', status: 302 });
    expect(service.sent.map(({ url }) => url)).toEqual([tokenUrl]);
  });

  test('sends the credentials in the body, and the scopes and parameters of the caller', async () => {
    const service = createService();
    const client = module.createClient({
      credentials: {
        oauth: { ...oauth, sentIn: 'body', scopes: ['all'], parameters: { audience: 'x' } },
      },
      fetch: service.fetch,
    });
    for (const name of ['getCob', 'putCob', 'deleteCob']) await client[name]?.();
    expect(service.tokens).toHaveLength(1);
    expect(service.tokens[0]?.authorization).toBeNull();
    expect(Object.fromEntries(new URLSearchParams(service.tokens[0]?.body))).toEqual({
      audience: 'x',
      grant_type: 'client_credentials',
      scope: 'all',
      client_id: oauth.clientId,
      client_secret: oauth.clientSecret,
    });
  });

  test('sends a given token as it is', async () => {
    const service = createService();
    for (const token of ['given', () => 'given', async () => 'given']) {
      const client = module.createClient({ credentials: { oauth: token }, fetch: service.fetch });
      await client['getCob']?.();
    }
    expect(service.tokens).toEqual([]);
    expect(new Set(service.sent.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer given']),
    );
  });

  test('renews a token that expires, and one that the service refuses', async () => {
    const service = createService();
    let now = 0;
    const client = module.createClient({
      credentials: { oauth },
      fetch: service.fetch,
      clock: () => now,
    });
    await client['getCob']?.();
    now = 3_569_999;
    await client['getCob']?.();
    expect(service.tokens).toHaveLength(1);
    now = 3_570_000;
    await client['getCob']?.();
    expect(service.tokens).toHaveLength(2);
    service.refused.add('Bearer t2');
    await client['getCob']?.();
    expect(service.tokens).toHaveLength(3);
    expect(service.sent.at(-1)?.authorization).toBe('Bearer t3');
  });

  test.each([
    [{}, 86_370],
    [{ expires_in: null }, 86_370],
    [{ expires_in: 60 }, 54],
    [{ expires_in: '60' }, 54],
    [{ expires_in: 1e12 }, 86_370],
    [{ expires_in: 0 }, undefined],
    [{ expires_in: -1 }, undefined],
    [{ expires_in: '1h' }, undefined],
    [{ token_type: 'mac' }, undefined],
    [{ access_token: '' }, undefined],
  ])('keeps the token of %j for %s s', async (answer, seconds) => {
    const service = createService(() => answer);
    let now = 0;
    const client = module.createClient({
      credentials: { oauth },
      fetch: service.fetch,
      clock: () => now,
    });
    if (seconds === undefined) {
      await expect(client['getCob']?.()).rejects.toMatchObject({ code: 'invalid-token' });
      return;
    }
    await client['getCob']?.();
    now = 1000 * seconds - 1;
    await client['getCob']?.();
    expect(service.tokens).toHaveLength(1);
    now = 1000 * seconds;
    await client['getCob']?.();
    expect(service.tokens).toHaveLength(2);
  });

  test('shares tokens under keys that depend on credentials and scopes', async () => {
    const tokenStore = new Map<string, unknown>();
    const service = createService();
    const events: object[] = [];
    const create = (override: object = {}): ReturnType<ClientModule['createClient']> =>
      module.createClient({
        credentials: { oauth: { ...oauth, ...override } },
        fetch: service.fetch,
        tokenStore,
        onEvent: (event: object) => events.push(event),
      });
    await create()['getCob']?.();
    await create()['getCob']?.();
    expect(service.tokens).toHaveLength(1);
    expect(events).not.toContainEqual(expect.objectContaining({ type: 'token-store-skipped' }));
    await create()['putCob']?.();
    await create({ scopes: ['cob.write'] })['getCob']?.();
    await create({ clientSecret: 'other' })['getCob']?.();
    await create({ clientId: 'other' })['getCob']?.();
    await create({ parameters: { audience: 'x' } })['getCob']?.();
    expect(tokenStore.size).toBe(6);
    expect(inspect(tokenStore, { depth: null })).not.toContain('cret');
  });

  test('keeps the tokens of two services apart, whatever is equal in them', async () => {
    const elsewhere = 'https://login.shop.example/oauth2/token';
    await using generatedOther = await generateClient(await readOpenapi(bank(elsewhere)));
    const other = await importModule(generatedOther.client);
    const tokenStore = new Map<string, unknown>();
    const [ofBank, ofShop] = [createService(), createService(() => ({ access_token: 'shop' }))];
    const accounts = [oauth, { ...oauth, clientId: 'shop 2' }];
    for (let round = 0; round < 2; round += 1)
      for (const account of accounts) {
        const options = { credentials: { oauth: account }, tokenStore };
        await module.createClient({ ...options, fetch: ofBank.fetch })['getCob']?.();
        await other.createClient({ ...options, fetch: ofShop.fetch })['getCob']?.();
      }
    expect(tokenStore.size).toBe(4);
    expect(ofBank.tokens.map(({ url }) => url)).toEqual([tokenUrl, tokenUrl]);
    expect(ofShop.tokens.map(({ url }) => url)).toEqual([elsewhere, elsewhere]);
    const sentTo = (service: typeof ofBank): ReadonlySet<string | null> =>
      new Set(
        service.sent
          .filter(({ body }) => !body.includes('grant_type'))
          .map(({ authorization }) => authorization),
      );
    expect(sentTo(ofBank)).toEqual(new Set(['Bearer t1', 'Bearer t2']));
    expect(sentTo(ofShop)).toEqual(new Set(['Bearer shop']));
  });

  test('keeps the accounts of calls apart', async () => {
    const service = createService();
    const client = module.createClient({ credentials: { oauth }, fetch: service.fetch });
    await client['getCob']?.();
    const other = { credentials: { oauth: { ...oauth, clientId: 'other' } } };
    await client['getCob']?.({}, other);
    await client['getCob']?.({}, other);
    expect(service.tokens).toHaveLength(2);
    expect(service.sent.at(-1)?.authorization).toBe('Bearer t2');
  });

  test('names the error of the endpoint, and no secret', async () => {
    const secrets = [oauth.clientSecret, pair, encodeURIComponent(oauth.clientSecret)];
    for (const [answer, expected] of [
      [
        Response.json({ error: 'invalid_scope' }, { status: 400 }),
        /status 400\..*invalid_scope: set scopes/,
      ],
      [Response.json({ error: oauth.clientSecret }, { status: 401 }), /status 401\.$/],
      [new Response('<p>', { status: 403 }), /status 403\.$/],
    ] as const) {
      const service = createService(() => answer);
      const client = module.createClient({
        credentials: { oauth },
        fetch: service.fetch,
        retry: { attempts: 1 },
      });
      const error: unknown = await client['getCob']?.().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'failure-status', operation: 'token request of oauth' });
      expect(String(error)).toMatch(expected);
      const shown = inspect(error, { depth: null, showHidden: true });
      for (const secret of secrets) expect(shown).not.toContain(secret);
    }
    const failing = module.createClient({
      credentials: { oauth },
      fetch: async () => {
        throw Object.assign(new Error(`refused ${secrets.join(' ')}`), { code: 'ECONNRESET' });
      },
      retry: { attempts: 1 },
    });
    const error: unknown = await failing['getCob']?.().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'network' });
    for (const secret of secrets)
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain(secret);
  });

  test.each([
    [{ baseUrl: 'http://127.0.0.1:9' }, 'invalid-option'],
    [
      { baseUrl: 'http://127.0.0.1:9', baseUrls: { [tokenUrl]: 'http://127.0.0.1:9/t' } },
      'http://127.0.0.1:9/t',
    ],
    [{ baseUrl: 'http://h', baseUrls: { [tokenUrl]: 'http://[::1]/t' } }, 'http://[::1]/t'],
    [{ baseUrl: 'https://h', baseUrls: { [tokenUrl]: tokenUrl } }, tokenUrl],
    [{ baseUrls: { [tokenUrl]: 'http://login.test/t' } }, 'invalid-option'],
    [{ baseUrls: { [tokenUrl]: 'http://127.0.0.1.evil.test/t' } }, 'invalid-option'],
    [{}, tokenUrl],
  ])('with %j requests tokens at %s', async (options, expected) => {
    const service = createService();
    try {
      const client = module.createClient({
        credentials: { oauth },
        fetch: service.fetch,
        ...options,
      });
      await client['getCob']?.();
      expect(service.sent[0]?.url).toBe(expected);
    } catch (error) {
      expect((error as { readonly code?: string }).code).toBe(expected);
      expect(service.sent).toEqual([]);
    }
  });

  test('requires the credentials only of calls that need them', async () => {
    const service = createService();
    const client = module.createClient({ fetch: service.fetch });
    await client['open']?.();
    await expect(client['getCob']?.()).rejects.toMatchObject({ code: 'missing-credential' });
    const half = module.createClient({
      credentials: { oauth: { clientId: 'a', clientSecret: '' } },
      fetch: service.fetch,
    });
    await expect(half['getCob']?.()).rejects.toMatchObject({ code: 'missing-credential' });
  });
});

test('the simulator issues tokens with Basic and with body credentials', async () => {
  const contract = await readOpenapi(bank());
  await using generated = await generateClient(contract);
  const { createClient } = await importModule(generated.client);
  const simulator = await createSimulator(serveWithSamples(contract, [{}]));
  try {
    const { url, baseUrls, credentials } = simulator;
    expect(baseUrls).toEqual({ [tokenUrl]: `${url}/oauth2/token` });
    const [clientId = '', clientSecret = ''] = (credentials['oauth'] ?? '').split(':');
    const call = async (credential: unknown): Promise<unknown> => {
      const client = createClient({ baseUrl: url, baseUrls, credentials: { oauth: credential } });
      return await client['putCob']?.().then(
        ({ status }) => status,
        (error: { readonly code?: string; readonly status?: number }) =>
          `${error.code} ${error.status}`,
      );
    };
    expect(await call({ clientId, clientSecret })).toBe(200);
    expect(await call({ clientId, clientSecret, sentIn: 'body' })).toBe(200);
    expect(await call({ clientId, clientSecret: 'x' })).toBe('failure-status 401');
    expect(await call({ clientId, clientSecret: 'x', sentIn: 'body' })).toBe('failure-status 401');
    expect(await call(credentials['oauth'])).toBe(200);
    const grant = { method: 'POST', body: new URLSearchParams({ grant_type: 'password' }) };
    expect((await fetch(`${url}/oauth2/token`, grant)).status).toBe(400);
    const refused = createClient({ baseUrl: url, baseUrls, credentials: { oauth: 'other' } });
    await expect(refused['getCob']?.()).rejects.toMatchObject({ status: 401 });
  } finally {
    await simulator.close();
  }
});

test.each([
  ['/oauth/token', 'https://api.bank.example/oauth/token'],
  ['oauth/token', 'https://api.bank.example/oauth/token'],
  ['https://a.example/token?v=1.0', 'https://a.example/token?v=1.0'],
  ['https://a.example/token/', 'https://a.example/token/'],
  ['https://a.example', 'https://a.example/'],
  ['https://a.example/{tenant}/token', 'invalid-option'],
  ['http://a.example/token', 'invalid-option'],
])('the token URL %s is %s', async (url, expected) => {
  await using generated = await generateClient(await readOpenapi(bank(url)));
  const { createClient } = await importModule(generated.client);
  const service = createService();
  const client = createClient({ credentials: { oauth }, fetch: service.fetch });
  const code: unknown = await client['getCob']?.().then(
    () => service.sent[0]?.url,
    (error: { readonly code?: string }) => error.code,
  );
  expect(code).toBe(expected);
});
