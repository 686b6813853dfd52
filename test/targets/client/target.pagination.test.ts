import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importModule, type ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { generateClient, readContract, type GeneratedClient } from './emit-client.ts';

let generated: GeneratedClient;

beforeAll(async () => {
  generated = await generateClient(
    await readContract({ openapi: 'test/targets/client/lists.yaml' }),
  );
});
afterAll(() => generated[Symbol.asyncDispose]());

type List = Readonly<
  Record<'items' | 'pages', (...args: readonly unknown[]) => AsyncIterable<unknown>>
>;

interface Exchange {
  readonly call: string;
  readonly input?: object;
  readonly pages: readonly (readonly [body: unknown, headers?: Record<string, string>])[];
  readonly requests: readonly string[];
  readonly items: readonly unknown[];
}

const exchanges: readonly Exchange[] = [
  {
    call: 'listPayments',
    input: { query: { limit: 1 } },
    pages: [[{ data: [{ id: 'a' }], has_more: true }], [{ data: [{ id: 'b' }], has_more: false }]],
    requests: ['GET /payments?limit=1', 'GET /payments?starting_after=a&limit=1'],
    items: [{ id: 'a' }, { id: 'b' }],
  },
  {
    call: 'listIssues',
    input: { path: { owner: 'ann' } },
    pages: [
      [
        [{ title: 'a' }],
        { link: '<https://lists.example/v1/repositories/7/issues?page=2>; rel="next"' },
      ],
      [[{ title: 'b' }], { link: '<https://lists.example/v1/>; rel="first"' }],
    ],
    requests: ['GET /repos/ann/issues', 'GET /repositories/7/issues?page=2'],
    items: [{ title: 'a' }, { title: 'b' }],
  },
  {
    call: 'listModels',
    pages: [
      [{ data: null, last_id: 'a', has_more: true }],
      [{ data: [{}], last_id: 'b', has_more: false }],
    ],
    requests: ['GET /models', 'GET /models?after=a'],
    items: [{}],
  },
  {
    call: 'listUsers',
    pages: [
      [{ users: ['a'] }, { 'x-total-pages': '2' }],
      [{ users: ['b'] }, { 'x-total-pages': '2' }],
    ],
    requests: ['GET /users', 'GET /users?page=1'],
    items: ['a', 'b'],
  },
  {
    call: 'searchEvents',
    pages: [[{ found: { events: [1, 2], total: 3 } }], [{ found: { events: [3], total: 3 } }]],
    requests: ['POST /events/search', 'POST /events/search {"offset":2}'],
    items: [1, 2, 3],
  },
];

async function readAll(list: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const one of list) all.push(one);
  return all;
}

test.each(
  ['index', 'unchecked'].flatMap((entry) =>
    exchanges.map((one) => [entry, one.call, one] as const),
  ),
)('the entry %s reads all pages: %s', async (entry, call, { input, pages, requests, items }) => {
  const module = await importModule(generated.client, entry);
  const sent: string[] = [];
  const left: (typeof pages)[number][] = [];
  const options = {
    credentials: { key: 'k' },
    fetch: async (url: string, { method, body, headers }: RequestInit) => {
      const { pathname, search } = new URL(url);
      const text = body === undefined ? '' : ` ${await new Response(body).text()}`;
      sent.push(`${method ?? ''} ${pathname.slice('/v1'.length)}${search}${text}`);
      expect(new Headers(headers).get('authorization')).toBe('Bearer k');
      const [page, answerHeaders = {}] = left.shift() ?? [{}];
      return Response.json(page, { headers: answerHeaders });
    },
  };
  const client = module.createClient(options) as unknown as Readonly<Record<string, List>>;
  const calls = module as ClientModule & Readonly<Record<string, List>>;
  const lists = [
    () => client[call]?.items(input),
    () => calls[call]?.items(module.createConnection(options), input),
  ];
  for (const list of lists) {
    sent.length = 0;
    left.push(...pages);
    expect(await readAll(list() ?? ([] as never))).toEqual(items);
    expect(sent).toEqual(requests);
  }
});

test('what the service gives as a cursor is not checked as an input, and what the caller gives is', async () => {
  const { createClient } = await importModule(generated.client);
  const client = createClient({
    credentials: { key: 'k' },
    fetch: async (url: string) =>
      Response.json({ data: [{ id: 'b' }], has_more: !url.includes('starting_after=b') }),
  }) as unknown as Readonly<Record<string, List>>;
  expect(await readAll(client['listPayments']?.items() ?? ([] as never))).toHaveLength(2);
  for (const [input, options] of [[{ query: { starting_after: 'a' } }], [{}, { from: 'a' }]])
    await expect(
      readAll(client['listPayments']?.items(input, options) ?? ([] as never)),
    ).rejects.toMatchObject({ code: 'invalid-request' });
});

test('the README shows a list with the input that it needs', async () => {
  const readme = await readFile(join(generated.client, 'README.md'), 'utf8');
  expect(readme).toContain('client.listPayments.pages({}, { from })');
  expect(readme).toMatch(/\| `listIssues` +\| link +\|/u);
  expect(readme).toContain('`foreign-link`');
});
