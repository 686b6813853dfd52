import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NestedArrays } from '../../../generator/targets/printing/client-options.ts';
import type { Input } from '../../../packages/runtime/client/client.ts';
import { type ClientModule, importModule } from '../../packages/runtime/client/generated-client.ts';
import { type TestServer, serve } from '../../packages/runtime/client/serve.ts';
import { type GeneratedClient, generateClient, readOpenapi } from './emit-client.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const deep = { style: 'deepObject', explode: true };
const ok = { 200: { description: 'Done.' } };
const form = (schema: object, encoding: object): object => ({
  content: { 'application/x-www-form-urlencoded': { schema, encoding } },
});

/** The forms of a shop, declared as Stripe declares its own. */
const shop = {
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  paths: {
    '/sessions': {
      post: {
        operationId: 'open',
        requestBody: form(
          {
            type: 'object',
            properties: {
              mode: text,
              line_items: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { price: text, quantity: { type: 'integer' }, tax: texts },
                },
              },
              expand: texts,
              plain: texts,
              metadata: { type: 'object', additionalProperties: text },
              rows: { type: 'array', items: { type: 'object' } },
              kind: { $ref: '#/components/schemas/Kind' },
            },
            additionalProperties: false,
          },
          { line_items: deep, expand: deep, metadata: deep },
        ),
        responses: ok,
      },
    },
    '/open': {
      post: {
        operationId: 'anything',
        requestBody: form({ type: 'object', additionalProperties: true }, {}),
        responses: ok,
      },
    },
    '/search': {
      get: {
        operationId: 'search',
        parameters: [
          { name: 'filter', in: 'query', ...deep, schema: { type: 'object' } },
          { name: 'after', in: 'query', schema: { type: 'string', format: 'date-time' } },
          { name: 'kind', in: 'query', schema: { $ref: '#/components/schemas/Kind' } },
          { name: 'either', in: 'query', schema: { oneOf: [text, { type: 'integer' }] } },
          { name: 'words', in: 'query', style: 'pipeDelimited', explode: false, schema: texts },
          { name: 'list', in: 'query', schema: texts },
          { name: 'record', in: 'query', schema: { type: 'object' } },
          { name: 'json', in: 'query', content: { 'application/json': { schema: {} } } },
          { name: 'x-after', in: 'header', schema: text },
        ],
        responses: ok,
      },
    },
    '/after/{date}': {
      get: {
        operationId: 'after',
        parameters: [{ name: 'date', in: 'path', required: true, schema: text }],
        responses: ok,
      },
    },
    '/lists/{ids}': {
      delete: {
        operationId: 'drop',
        parameters: [
          { name: 'ids', in: 'path', required: true, schema: { type: ['array', 'object'] } },
        ],
        responses: ok,
      },
    },
  },
  components: { schemas: { Kind: { enum: ['big', 'small'] } } },
};

interface Seen {
  readonly url: string;
  readonly raw: string;
  /** As Express reads it, by the package qs. */
  readonly read: unknown;
}

let server: TestServer;
let seen: Seen[] = [];

beforeAll(async () => {
  const application = express();
  application.set('query parser', 'extended');
  let raw = '';
  application.use(
    express.urlencoded({
      extended: true,
      verify: (_request, _response, bytes) => {
        raw = bytes.toString();
      },
    }),
  );
  application.use((request, response) => {
    const read: unknown = request.method === 'GET' ? request.query : request.body;
    seen.push({ url: request.url, raw, read });
    response.end();
  });
  server = await serve(application);
});
afterAll(() => server[Symbol.asyncDispose]());

const items = [
  { price: 'p/1', quantity: 1, tax: ['a', 'b'] },
  { price: 'p2', quantity: 12345678901234567890n },
];
const filter = { tags: ['a', 'b'], rows: [[1, 2], [3]], none: null, empty: [] };

describe.each<[NestedArrays | undefined, string, string]>([
  [
    undefined,
    'expand[0]=a b&expand[1]=c',
    'filter[tags][0]=a&filter[tags][1]=b&filter[rows][0][0]=1&filter[rows][0][1]=2&filter[rows][1][0]=3',
  ],
  [
    'indices',
    'expand[0]=a b&expand[1]=c',
    'filter[tags][0]=a&filter[tags][1]=b&filter[rows][0][0]=1&filter[rows][0][1]=2&filter[rows][1][0]=3',
  ],
  [
    'brackets',
    'expand[]=a b&expand[]=c',
    'filter[tags][]=a&filter[tags][]=b&filter[rows][0][]=1&filter[rows][0][]=2&filter[rows][1][]=3',
  ],
  [
    'repeat',
    'expand=a b&expand=c',
    'filter[tags]=a&filter[tags]=b&filter[rows][0]=1&filter[rows][0]=2&filter[rows][1]=3',
  ],
])('with nestedArrays: %s', (nestedArrays, expand, search) => {
  let generated: GeneratedClient;
  let module: ClientModule;

  beforeAll(async () => {
    generated = await generateClient(
      await readOpenapi(shop),
      nestedArrays === undefined ? {} : { options: { nestedArrays } },
    );
    module = await importModule(generated.client);
  });
  afterAll(() => generated[Symbol.asyncDispose]());

  async function call(name: string, input: Input): Promise<Seen> {
    seen = [];
    // These tests are about how values are written, whether the contract has them or not.
    const client = module.createClient({ baseUrl: server.baseUrl, invalidRequest: 'ignore' });
    await client[name]?.(input);
    const [first] = seen;
    if (first === undefined) throw new Error('Nothing arrived');
    return first;
  }

  test('a form keeps the borders of its items', async () => {
    const { raw, read } = await call('open', {
      body: { mode: 'pay', line_items: items, expand: ['a b', 'c'], metadata: { k: 'v' } },
    });
    expect(decodeURIComponent(raw)).toContain(
      '&line_items[0][price]=p/1&line_items[0][quantity]=1',
    );
    expect(decodeURIComponent(raw)).toContain('line_items[1][quantity]=12345678901234567890');
    expect(decodeURIComponent(raw)).toContain(`&${expand}&metadata[k]=v`);
    expect(read).toEqual({
      mode: 'pay',
      line_items: [
        { price: 'p/1', quantity: '1', tax: ['a', 'b'] },
        { price: 'p2', quantity: '12345678901234567890' },
      ],
      expand: ['a b', 'c'],
      metadata: { k: 'v' },
    });
  });

  test('a parameter does as well', async () => {
    const { url, read } = await call('search', { query: { filter } });
    expect(decodeURIComponent(url)).toBe(`/search?${search}`);
    expect(read).toMatchObject({
      filter: { tags: ['a', 'b'], rows: [['1', '2'], expect.anything()] },
    });
  });

  test('what has no style is written as OpenAPI says', async () => {
    const { raw } = await call('open', { body: { plain: ['a', 'b'], rows: [{ k: 1 }, { k: 2 }] } });
    expect(decodeURIComponent(raw)).toBe('plain=a&plain=b&rows={"k":1}&rows={"k":2}');
    const open = await call('anything', { body: { a: { b: [1] }, c: [1, null, 2], d: 'x y' } });
    expect(decodeURIComponent(open.raw)).toBe('a={"b":[1]}&c=1&c=2&d=x+y');
  });

  const date = new Date(0);
  const secret = 'secret-value';
  test.each<[string, Input, string]>([
    ['search', { query: { after: date } }, 'after'],
    ['search', { query: { after: { day: secret } } }, 'after'],
    ['search', { query: { after: [secret] } }, 'after'],
    ['search', { query: { kind: { secret } } }, 'kind'],
    ['search', { query: { either: { secret } } }, 'either'],
    ['search', { query: { list: date } }, 'list'],
    ['search', { query: { list: [{ secret }] } }, 'list'],
    ['search', { query: { list: [[secret]] } }, 'list'],
    ['search', { query: { list: new Set([secret]) } }, 'list'],
    ['search', { query: { words: ['a|b', secret] } }, 'words'],
    ['search', { query: { record: { a: { secret } } } }, 'record'],
    ['search', { query: { record: new Map([['a', secret]]) } }, 'record'],
    ['search', { query: { filter: { a: [date] } } }, 'filter'],
    ['search', { query: { filter: { a: () => secret } } }, 'filter'],
    ['search', { query: { filter: { a: Symbol(secret) } } }, 'filter'],
    ['search', { query: { filter: new URL(`https://${secret}.example`) } }, 'filter'],
    ['search', { query: { json: () => secret } }, 'json'],
    ['search', { headers: { 'x-after': date } }, 'x-after'],
    ['after', { path: { date } }, 'date'],
    ['drop', { path: { ids: [] } }, 'ids'],
    ['drop', { path: { ids: {} } }, 'ids'],
    ['drop', { path: { ids: [null] } }, 'ids'],
    ['drop', { path: { ids: { a: null } } }, 'ids'],
    ['open', { body: { mode: date } }, 'mode'],
    ['open', { body: { mode: { secret } } }, 'mode'],
    ['open', { body: { kind: { secret } } }, 'kind'],
    ['open', { body: { plain: [{ secret }] } }, 'plain'],
    ['open', { body: { rows: date } }, 'rows'],
    ['open', { body: { expand: [date] } }, 'expand'],
    ['open', { body: { metadata: { k: () => secret } } }, 'metadata'],
    ['open', { body: new URLSearchParams({ mode: secret }) }, 'body'],
    ['anything', { body: { a: new Map([[secret, secret]]) } }, 'a'],
  ])('%s refuses %j before sending, by the name %s', async (name, input, named) => {
    const failed = call(name, input);
    await expect(failed).rejects.toMatchObject({ code: 'invalid-input' });
    const { message } = (await failed.catch((error: unknown) => error)) as Error;
    expect(message).toContain(named);
    expect(message).not.toContain(secret);
    expect(seen).toEqual([]);
  });
});
