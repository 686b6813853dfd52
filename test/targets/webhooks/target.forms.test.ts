import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formsOpenapi } from './forms.ts';
import { toCatalogueOf } from './to-catalogue.ts';
import {
  createReceiver,
  type StoredDelivery,
} from '../../../packages/runtime/webhooks/receiver.ts';
import { toNodeHandler } from '../../../packages/runtime/webhooks/node.ts';
import { createDispatcher } from '../../../packages/runtime/webhooks/stored-events.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import { attemptOf } from '../../packages/runtime/webhooks/attempt-of.ts';
import type {
  TestingModule,
  WebhooksModule,
} from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { target as simulatorTarget } from '../../../packages/simulator/src/target/target.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { createSimulator, type Service } from '../../../packages/simulator/src/index.ts';
import { generateProject } from '../emit-project.ts';
import { compileStrictly } from '../strict-compile.ts';
import { listenForTest } from '../../packages/simulator/send/listen.ts';
import type { GeneratedWebhooks } from './emit-webhooks.ts';

let generated: GeneratedWebhooks;
let webhooks: WebhooksModule & { verifySeal(options: object): never };
let testing: TestingModule & { createSealSigner(options: object): never };

beforeAll(async () => {
  const lowered = await lowerFiles({ 'openapi.yaml': formsOpenapi });
  expect(lowered.documents.diagnostics).toEqual([]);
  expect(lowered.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const project = await generateProject(lowered.contract, [
    contractTarget,
    webhooksTarget,
    simulatorTarget,
  ]);
  generated = { ...project, webhooks: join(project.project, 'webhooks') };
  const load = async (name: string): Promise<unknown> =>
    await import(pathToFileURL(join(generated.webhooks, `src/${name}.ts`)).href);
  webhooks = (await load('index')) as typeof webhooks;
  testing = (await load('testing')) as typeof testing;
});
afterAll(() => generated[Symbol.asyncDispose]());

/** Makes a receiver that keeps what it gets. */
function receiver(options: object = {}): {
  readonly seen: unknown[];
  readonly fetch: (request: Request) => Promise<Response>;
} {
  const seen: unknown[] = [];
  const { fetch } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: {},
    otherwise: {
      rest: ({ kind, data }: { kind: string | null; data: unknown }) =>
        void seen.push([kind, data]),
    },
    onInvalid: ({
      reason,
      violations,
    }: {
      reason: string;
      violations: readonly { pointer: string; keyword: string }[];
    }) =>
      void seen.push([
        reason,
        ...violations.map(({ pointer, keyword }) => `${pointer} ${keyword}`),
      ]),
    ...options,
  });
  return { seen, fetch };
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (body: string | Uint8Array<ArrayBuffer>): Request =>
  new Request('http://127.0.0.1/', { method: 'POST', body, headers: form });

async function receive(request: Request, options?: object): Promise<readonly unknown[]> {
  const { seen, fetch } = receiver(options);
  const { status } = await fetch(request);
  return [status, ...seen];
}

describe('a notification whose body is a form', () => {
  test('is an event of its kind, with values of the types of its schema', async () => {
    const body =
      'MessageSid=SM1&Body=Ol%C3%A1+%26+at%C3%A9&NumMedia=2&Amount=19.99&Urgent=true&Tags=a&Tags=b%2Cc&Segment=%7B%22id%22%3A7%7D&Code=007&Note=&Other=x&More=1&More=2';
    expect(await receive(post(body))).toEqual([
      200,
      [
        'message',
        {
          MessageSid: 'SM1',
          Body: 'Olá & até',
          NumMedia: 2,
          Amount: 19.99,
          Urgent: true,
          Tags: ['a', 'b,c'],
          Segment: { id: 7 },
          Code: '007',
          Note: null,
          Other: 'x',
          More: ['1', '2'],
        },
      ],
    ]);
  });

  test.each([
    ['one element of an array', 'MessageSid=1&Tags=a', { MessageSid: '1', Tags: ['a'] }],
    [
      'brackets',
      'MessageSid=1&Tags[]=a&Tags[]=b&Segment[id]=3',
      { MessageSid: '1', Tags: ['a', 'b'], Segment: { id: 3 } },
    ],
    [
      'a number where the schema also allows a text',
      'MessageSid=1&Code=5',
      { MessageSid: '1', Code: 5 },
    ],
    ['nothing but the required member', 'MessageSid=', { MessageSid: '' }],
    ['a percent sign without digits', 'MessageSid=100%', { MessageSid: '100%' }],
    [
      'JSON, although the contract states a form',
      '{"MessageSid":"1","NumMedia":2}',
      { MessageSid: '1', NumMedia: 2 },
    ],
  ])('accepts %s', async (_, body, data) => {
    expect(await receive(post(body))).toEqual([200, ['message', data]]);
  });

  test.each([
    ['a repeated member', 'MessageSid=1&Body=a&Body=b', [400, ['body', ' duplicate-key']]],
    [
      'a member that is not a number',
      'MessageSid=1&NumMedia=two',
      [422, ['schema', '/NumMedia type']],
    ],
    ['a number with a space', 'MessageSid=1&NumMedia=+2', [422, ['schema', '/NumMedia type']]],
    [
      'a number that no double holds',
      'MessageSid=1&Amount=0.12345678901234567891',
      [422, ['number', '/Amount number']],
    ],
    [
      'a number that is too large',
      'MessageSid=1&Amount=1e400',
      [422, expect.arrayContaining(['/Amount number'])],
    ],
    ['no boolean', 'MessageSid=1&Urgent=yes', [422, ['schema', '/Urgent type']]],
    ['a prototype', 'MessageSid=1&__proto__=x', [400, ['body', ' prototype-key']]],
    [
      'duplicate keys in JSON',
      'MessageSid=1&Segment={"id":1,"id":2}',
      [400, ['body', ' duplicate-key']],
    ],
  ])('refuses %s', async (_, body, expected) => {
    expect(await receive(post(body))).toEqual(expected);
  });

  test.each([
    ['an escape', 'MessageSid=%FF'],
    ['a cut escape', 'MessageSid=%C3'],
    ['a name', '%C3=1'],
  ])('refuses %s that is not UTF-8', async (_, body) => {
    expect(await receive(post(body))).toEqual([400, ['encoding', ' not-utf-8']]);
  });

  test('refuses bytes that are not UTF-8', async () => {
    const outcome = await receive(post(new Uint8Array([0x4d, 0x3d, 0xff])));
    expect(outcome).toEqual([400, ['encoding', ' not-utf-8']]);
  });

  test('delivers a number that no double holds as text, if the receiver asks for it', async () => {
    const amount = '0.12345678901234567891';
    expect(await receive(post(`MessageSid=1&Amount=${amount}`), { numbers: 'text' })).toEqual([
      200,
      ['message', { MessageSid: '1', Amount: amount }],
    ]);
  });

  test('has the types of its own kind, where kinds differ', async () => {
    expect(
      await receive(
        new Request('http://127.0.0.1/', {
          method: 'PUT',
          body: 'type=refund&NumMedia=5',
          headers: form,
        }),
      ),
    ).toEqual([200, ['refund', { type: 'refund', NumMedia: '5' }]]);
  });

  test('is handled once', async () => {
    const { seen, fetch } = receiver();
    const statuses = [];
    for (const body of ['MessageSid=1&Body=a', 'MessageSid=1&Body=b', 'MessageSid=2'])
      statuses.push((await fetch(post(body))).status);
    expect([statuses, seen.length]).toEqual([[200, 200, 200], 2]);
  });

  test('grows in steps like its number of members', async () => {
    const decode = vi.spyOn(globalThis, 'decodeURIComponent');
    const count = async (members: number): Promise<number> => {
      decode.mockClear();
      await receive(post(`MessageSid=1&${'a%41=%42&'.repeat(members)}`));
      return decode.mock.calls.length;
    };
    const [small, large] = [await count(100), await count(1000)];
    decode.mockRestore();
    expect(large).toBeLessThanOrEqual(11 * small);
  });
});

describe('a notification without a body', () => {
  const visit = (query: string): Request => new Request(`http://127.0.0.1/?${query}`);

  test('has the declared parameters of the query as its data', async () => {
    expect(await receive(visit('visitor=ann+b&count=3&pages=1,2&token=secret'))).toEqual([
      200,
      ['visit', { visitor: 'ann b', count: 3, pages: [1, 2] }],
    ]);
  });

  test.each([
    ['a missing parameter', 'visitor=ann', [422, ['schema', ' required']]],
    ['a repeated parameter', 'visitor=ann&count=1&count=2', [400, ['body', ' duplicate-key']]],
    ['a parameter that is not UTF-8', 'visitor=%FF&count=1', [400, ['encoding', ' not-utf-8']]],
  ])('is refused with %s', async (_, query, expected) => {
    expect(await receive(visit(query))).toEqual(expected);
  });

  test('is received by a server', async () => {
    const { seen, fetch: _ } = receiver();
    const { receive: receiveOf } = webhooks.createWebhooks({
      authenticate: webhooks.unauthenticated(),
      on: {},
      otherwise: { rest: ({ data }: { data: unknown }) => void seen.push(data) },
      onInvalid: () => undefined,
    });
    const server = createServer(toNodeHandler(receiveOf)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const statuses = [
      (await fetch(`${origin}/hooks?visitor=ann&count=3`)).status,
      (
        await fetch(`${origin}/hooks`, {
          method: 'POST',
          body: new URLSearchParams({ MessageSid: 'é' }),
        })
      ).status,
      (await fetch(`${origin}/hooks`, { method: 'DELETE' })).status,
    ];
    server.close();
    expect([statuses, seen]).toEqual([
      [200, 200, 405],
      [{ visitor: 'ann', count: 3 }, { MessageSid: 'é' }],
    ]);
  });
});

describe('a delivery of a test', () => {
  test.each([
    [
      'message',
      {
        MessageSid: 'SM1',
        Body: 'Olá & até já',
        NumMedia: 2,
        Tags: ['a', 'b'],
        Segment: { id: 7 },
      },
    ],
    ['visit', { visitor: 'ann', count: 3 }],
  ])('of the kind %s is written as declared, and signed over its bytes', async (kind, data) => {
    const signer = testing.createSealSigner({ key: 'k' });
    const options = { authenticate: webhooks.verifySeal({ keys: ['k'] }) };
    expect(await receive(await testing.deliver(kind, { signer }), options)).toEqual([
      200,
      [kind, data],
    ]);
    const changed = await testing.deliver(kind, { signer, url: 'http://127.0.0.1/hooks' });
    const moved = new Request(`${changed.url}${changed.url.includes('?') ? '&' : '?'}x=1`, {
      method: changed.method,
      headers: changed.headers,
      ...(changed.method === 'GET' ? {} : { body: await changed.arrayBuffer() }),
    });
    expect(await receive(moved, options)).toEqual([401]);
  });
});

test('an inbox stores what a worker needs to read a form or a query again, and nothing else', async () => {
  const catalogue = await toCatalogueOf(generated);
  const stored: StoredDelivery[] = [];
  const receiveOf = createReceiver(catalogue, {
    authenticate: () => true,
    inbox: {
      receive: async (delivery: StoredDelivery) => {
        stored.push(delivery);
        return { status: 'stored' };
      },
    },
  } as never);
  const seen: unknown[] = [];
  const handle = createDispatcher(catalogue, {
    on: {},
    otherwise: {
      rest: ({ kind, data }: { kind: string; data: unknown }) => void seen.push([kind, data]),
    },
    onInvalid: () => undefined,
  });
  const body = new TextEncoder().encode('MessageSid=1&NumMedia=2');
  const none = new Uint8Array(0);
  for (const [method, target, bytes] of [
    ['POST', '/hooks?token=secret', body],
    ['GET', '/hooks?token=secret&visitor=ann&count=3', none],
  ] as const)
    await receiveOf({ method, target, headers: () => [], read: () => bytes });
  expect(
    stored.map(({ target, events }) => [
      target,
      events.map(({ kind, identity }) => [kind, typeof identity]),
    ]),
  ).toEqual([
    ['/hooks', [['message', 'string']]],
    ['/hooks?visitor=ann&count=3', [['visit', 'string']]],
  ]);
  for (const delivery of stored)
    await handle(
      {
        ...delivery,
        ...delivery.events[0],
        id: 'e',
        receiptId: 'r',
        position: 0,
        count: 1,
        receivedAt: 0,
      },
      attemptOf(1),
    );
  expect(seen).toEqual([
    ['message', { MessageSid: '1', NumMedia: 2 }],
    ['visit', { visitor: 'ann', count: 3 }],
  ]);
});

test('the simulator sends forms and queries as declared, and signs them', async () => {
  const file = pathToFileURL(join(generated.project, 'simulator/src/service.ts')).href;
  const { service } = (await import(file)) as { readonly service: Service };
  const seen: unknown[] = [];
  const { receive: receiveOf } = webhooks.createWebhooks({
    authenticate: webhooks.verifySeal({ keys: ['k'] }),
    on: {},
    otherwise: {
      rest: ({ kind, data }: { kind: string; data: unknown }) => void seen.push([kind, data]),
    },
    onInvalid: () => undefined,
  });
  const to = await listenForTest(toNodeHandler(receiveOf));
  const simulator = await createSimulator(service, { to, authentication: { key: 'k' } });
  try {
    await simulator.trigger('message', { data: { Tags: ['x'], Amount: 0.1 } });
    await simulator.trigger('visit', { data: { pages: [4, 5] } });
    await simulator.trigger('refund', { payload: { type: 'refund', NumMedia: '5' } });
    await simulator.settled();
  } finally {
    await simulator.close();
  }
  expect(seen).toMatchObject([
    ['message', { MessageSid: 'SM1', Tags: ['x'], Amount: 0.1, Segment: { id: 7 } }],
    ['visit', { visitor: 'ann', count: 3, pages: [4, 5] }],
    ['refund', { type: 'refund', NumMedia: '5' }],
  ]);
});

test('the package compiles under every flag', async () => {
  const files = ['index', 'testing', 'catalogue', 'worker'].map((name) => `src/${name}.ts`);
  await expect(
    compileStrictly(generated.webhooks, files, {
      compiler: 'ts7',
      resolution: 'nodenext',
      from: 'source',
      withRuntimes: true,
    }),
  ).resolves.toBeUndefined();
}, 120_000);
