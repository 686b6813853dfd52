import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importModule, type ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const object = { type: 'object' };
const reason = { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } };

const document = {
  openapi: '3.1.1',
  info: { title: 'Bank', version: '1.0.0' },
  servers: [{ url: 'https://bank.example' }],
  security: [{ oauth: ['read'] }],
  paths: {
    '/balance': {
      get: {
        operationId: 'getBalance',
        responses: { 200: { description: 'Ok.', ...json(object) }, 401: { description: 'No.' } },
      },
    },
    '/refunds': {
      post: {
        operationId: 'createRefund',
        responses: {
          201: { description: 'Done.', ...json(object) },
          402: { description: 'No funds.', ...json(reason) },
          default: { description: 'Else.', ...json(object) },
        },
      },
    },
    '/statement': {
      get: {
        operationId: 'getStatement',
        responses: {
          200: { description: 'Ok.', content: { 'text/csv': { schema: { type: 'string' } } } },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://bank.example/token', scopes: { read: 'Reads.' } },
        },
      },
    },
  },
};

type Guards = Readonly<Record<string, (error: unknown) => boolean>>;

describe.each(['index', 'unchecked'] as const)('a generated client, entry %s', (entry) => {
  let generated: GeneratedClient;
  let module: ClientModule;
  let sent: string[];
  let answer: (path: string) => Response;

  beforeAll(async () => {
    generated = await generateClient(await readOpenapi(document));
    module = await importModule(generated.client, entry);
  });
  afterAll(() => generated[Symbol.asyncDispose]());
  beforeEach(() => {
    sent = [];
  });

  const create = (more: object = {}): ReturnType<ClientModule['createClient']> =>
    module.createClient({
      credentials: { oauth: { clientId: 'id', clientSecret: 'secret' } },
      fetch: async (url: string) => {
        const { pathname } = new URL(url);
        sent.push(pathname);
        return pathname === '/token'
          ? Response.json({ access_token: 'same-token', token_type: 'bearer', expires_in: 3600 })
          : answer(pathname);
      },
      ...more,
    });
  const guards = (): Guards => module as unknown as Guards;

  test('rejects with a failure, which the guard of the operation accepts', async () => {
    const client = create();
    answer = () => Response.json({ reason: 'funds' }, { status: 402 });
    for (const call of [
      async () => await client['createRefund']?.(),
      async () => await client.request('POST', '/refunds'),
    ]) {
      const error: unknown = await call().catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: 'failure-status',
        status: 402,
        operation: 'createRefund',
      });
      expect(guards()['isCreateRefundFailure']?.(error)).toBe(true);
      expect(guards()['isGetBalanceFailure']?.(error)).toBe(false);
    }
    expect(guards()['isGetStatementFailure']).toBeUndefined();
  });

  test('judges the body of a failure where it has validators, with the default of the contract', async () => {
    answer = () => Response.json({ reason: 7 }, { status: 402 });
    const client = create({ onEvent: () => undefined });
    const error: unknown = await client['createRefund']?.().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'failure-status', status: 402, body: { reason: 7 } });
    expect(guards()['isCreateRefundFailure']?.(error)).toBe(entry === 'unchecked');
  });

  test('takes no 202 for the error that `default` describes', async () => {
    answer = () => Response.json({}, { status: 202 });
    await expect(create()['createRefund']?.()).rejects.toMatchObject({
      code: 'unexpected-status',
      status: 202,
    });
  });

  test('requests one token after a refusal, where the endpoint issues the same again', async () => {
    const client = create();
    answer = (path) =>
      path === '/balance' ? new Response('', { status: 401 }) : Response.json({}, { status: 201 });
    for (let index = 0; index < 50; index++) {
      const error: unknown = await client['getBalance']?.().catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'failure-status', status: 401 });
      expect(guards()['isGetBalanceFailure']?.(error)).toBe(true);
      expect(await client['createRefund']?.()).toMatchObject({ status: 201 });
    }
    expect(sent.filter((path) => path === '/token')).toHaveLength(2);
  });

  test('decodes a statement by its charset', async () => {
    const bytes = Uint8Array.of(0x50, 0xe3, 0x6f, 0x3b, 0x31);
    const headers = { 'content-type': 'text/csv; charset=iso-8859-1' };
    answer = () => new Response(bytes, { headers });
    expect(await create()['getStatement']?.()).toMatchObject({ status: 200, body: 'Pão;1' });
    answer = () => new Response(bytes, { headers: { 'content-type': 'text/csv' } });
    await expect(create()['getStatement']?.()).rejects.toMatchObject({
      code: 'invalid-response',
      status: 200,
      body: bytes,
      bytes,
    });
  });
});
