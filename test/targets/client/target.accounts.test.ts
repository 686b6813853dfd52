import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { importModule, type ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { startServer, type TestServer } from '../../packages/runtime/client/server.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const done = { 200: { description: 'Done.' } };
const text = { type: 'string' };

/** A bank whose token operation is authenticated by a security scheme. */
const bank = {
  openapi: '3.1.1',
  info: { title: 'Bank', version: '1.0.0' },
  security: [{ token: [] }],
  paths: {
    '/token': {
      post: {
        operationId: 'issueToken',
        security: [{ basic: [] }],
        responses: {
          200: {
            description: 'Issued.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['access_token'],
                  properties: { access_token: text },
                },
              },
            },
          },
        },
      },
    },
    '/balance': { get: { operationId: 'getBalance', responses: done } },
    '/keyed': {
      get: {
        operationId: 'keyed',
        security: [{ key: [] }],
        parameters: [
          { name: 'X-Key', in: 'header', required: true, schema: text },
          { name: 'tag', in: 'query', required: true, schema: text },
        ],
        responses: done,
      },
    },
    '/unkeyed': {
      get: {
        operationId: 'unkeyed',
        parameters: [{ name: 'x-key', in: 'header', required: true, schema: text }],
        responses: done,
      },
    },
  },
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'header', name: 'x-key' },
      token: {
        type: 'http',
        scheme: 'bearer',
        'x-access-token': {
          operation: 'issueToken',
          token: '$response.body#/access_token',
          value: 'Bearer {token}',
        },
      },
    },
  },
};

let generated: GeneratedClient;
let module: ClientModule;
let server: TestServer;
let seen: (string | undefined)[] = [];

beforeAll(async () => {
  generated = await generateClient(await readOpenapi(bank));
  module = await importModule(generated.client);
  server = await startServer(({ url, headers: { authorization = '', 'x-key': key } }, response) => {
    if (url === '/token') {
      const [name] = Buffer.from(authorization.slice('Basic '.length), 'base64')
        .toString()
        .split(':');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: `token-of-${name}` }));
      return;
    }
    seen.push(url === '/balance' ? authorization : String(key));
    response.end();
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await generated[Symbol.asyncDispose]();
});
beforeEach(() => {
  seen = [];
});

const credentialsOf = (username: string): object => ({
  basic: { username, password: 'secret' },
  key: `key-of-${username}`,
});

const createClient = (
  username: string,
  more: object = {},
): ReturnType<ClientModule['createClient']> =>
  module.createClient({ baseUrl: server.baseUrl, credentials: credentialsOf(username), ...more });

test('clients of two accounts with one token store have their own tokens', async () => {
  const tokenStore = new Map<string, unknown>();
  for (const name of ['alice', 'mallory', 'alice'])
    await createClient(name, { tokenStore })['getBalance']?.();
  const ofAlice = 'Bearer token-of-alice';
  expect(seen).toEqual([ofAlice, 'Bearer token-of-mallory', ofAlice]);
  expect(tokenStore.size).toBe(2);
});

test('a call can be made for another account', async () => {
  const client = createClient('alice');
  await client['getBalance']?.();
  await client['getBalance']?.({}, { credentials: credentialsOf('mallory') });
  await client['getBalance']?.();
  await client['keyed']?.({ query: { tag: 'a' } }, { credentials: credentialsOf('mallory') });
  expect(seen).toEqual([
    'Bearer token-of-alice',
    'Bearer token-of-mallory',
    'Bearer token-of-alice',
    'key-of-mallory',
  ]);
});

test('a parameter that a security scheme of the operation sends is not an input', async () => {
  const client = createClient('alice');
  await client['keyed']?.({ query: { tag: 'a' } });
  expect(seen).toEqual(['key-of-alice']);
  await expect(
    client['keyed']?.({ query: { tag: 'a' }, headers: { 'X-Key': 'another' } }),
  ).rejects.toMatchObject({ code: 'invalid-input' });
  const source = await readFile(join(generated.client, 'src/operations.ts'), 'utf8');
  const [, keyed = ''] = /interface KeyedInput (\{[\s\S]*?\n\})/u.exec(source) ?? [];
  expect(keyed).toContain('tag');
  expect(keyed).not.toMatch(/X-Key/i);
});

test('a parameter with the name of a credential of other operations is an input', async () => {
  await createClient('alice')['unkeyed']?.({ headers: { 'x-key': 'a tag' } });
  expect(seen).toEqual(['a tag']);
});
