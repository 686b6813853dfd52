import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import {
  toExpressHandler,
  toExpressRouter,
} from '../../../../packages/runtime/adapters/express.ts';
import { sharedSecret } from '../../../../packages/runtime/webhooks/receiver.ts';
import { listen } from '../webhooks/listen.ts';
import { createBareReceiver } from '../webhooks/bare-receiver.ts';
import { exchangeRaw, rawPost } from '../webhooks/raw-exchange.ts';

const body = '{"a": 1}';

async function post(
  before: RequestHandler,
  type: string,
): Promise<{ status: number; bodies: readonly string[]; error: unknown }> {
  const { receive, bodies, records } = createBareReceiver();
  await using served = await listen(express().use(before, toExpressHandler(receive)));
  const lines = [`Content-Type: ${type}`];
  const { status } = await exchangeRaw(served.port, rawPost('/', body, lines));
  return { status, bodies, error: records[0]?.error };
}

test.each([
  ['json', express.json(), 'application/json'],
  ['urlencoded', express.urlencoded(), 'application/x-www-form-urlencoded'],
  ['text', express.text(), 'text/plain'],
])(
  'behind express.%s() a delivery is answered with 500, and a warning says what to do',
  async (_name, parser, type) => {
    const warned = once(process, 'warning');
    const { status, bodies, error } = await post(parser, type);
    const [warning] = (await warned) as [NodeJS.ErrnoException & { readonly detail: string }];
    expect([status, bodies]).toEqual([500, []]);
    expect(warning.code).toBe('COUNTERSIGN_BODY_CONSUMED');
    expect(warning.detail).toMatch(/before express\.json\(\)/);
    expect(String(error)).toContain(warning.detail);
  },
);

const keep = (request: IncomingMessage, _response: unknown, bytes: Buffer): void => {
  Object.assign(request, { rawBody: bytes });
};

test.each([
  ['express.raw()', express.raw({ type: '*/*' }), 'application/json'],
  ['a parser that keeps the bytes', express.json({ verify: keep }), 'application/json'],
  ['a parser of other types', express.json(), 'text/plain'],
])('behind %s a delivery is handled', async (_name, parser, type) => {
  expect(await post(parser, type)).toMatchObject({ status: 200, bodies: [body] });
});

const labels = [
  { method: 'PUT', path: '/orders/{id}' },
  { path: '/orders/{id}/items/{item}.json' },
  { path: '/a(b)*/:c/[d]?x' },
  { path: '/__proto__/constructor' },
];

test.each([
  ['/', 200],
  ['?key=1', 200],
  ['/orders/1', 200],
  ['/orders/%31/?q=%zz', 200],
  ['/orders/1/items/2.json', 200],
  ['/a(b)*/:c/[d]', 200],
  ['/__proto__/constructor', 200],
  ['/orders', 404],
  ['/Orders/1', 404],
  ['/orders/1/2', 404],
  ['/orders/1/items/2', 404],
  ['/orders/1/items/.json', 404],
  ['/orders//', 404],
  ['/%zz', 404],
  ['/more/orders/1', 404],
  ['/abb/x/d', 404],
  ['/toString', 404],
])('a router of labels answers POST /hook%s with %i', async (path, status) => {
  const { receive, requests } = createBareReceiver();
  const passed: string[] = [];
  const app = express().use('/hook', toExpressRouter(receive, labels));
  app.use((request, response) => {
    passed.push(request.originalUrl);
    response.sendStatus(404);
  });
  await using served = await listen(app);
  const target = `/hook${path}`;
  expect((await exchangeRaw(served.port, rawPost(target, body))).status).toBe(status);
  expect(requests.map(({ url }) => url)).toEqual(status === 200 ? [target] : []);
  expect(passed).toEqual(status === 200 ? [] : [target]);
});

test.each([
  '/orders/%zz',
  '/orders/1/%2e%2e/2',
  '//orders/1',
  '/orders%2f1',
  '/orders/1#x',
  '/a/..;/orders/1',
])(
  'a router of labels passes a delivery to /hook%s to its receiver, which refuses it',
  async (path) => {
    const { receive, records } = createBareReceiver();
    const app = express().use('/hook', toExpressRouter(receive, labels));
    await using served = await listen(app);
    expect((await exchangeRaw(served.port, rawPost(`/hook${path}`, body))).status).toBe(404);
    expect(records).toMatchObject([{ reason: 'malformed-path' }]);
  },
);

test('a router of labels answers other methods at a label with 405, and leaves them to the app elsewhere', async () => {
  const { receive } = createBareReceiver();
  const app = express().use(toExpressRouter(receive, labels));
  app.get('/other', (_request, response) => void response.send('other'));
  await using served = await listen(app);
  for (const method of ['GET', 'OPTIONS', 'PUT']) {
    const url = `http://127.0.0.1:${served.port}/orders/1`;
    const answer = await fetch(url, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  }
  const other = await fetch(`http://127.0.0.1:${served.port}/other`);
  expect([other.status, await other.text()]).toEqual([200, 'other']);
});

test.each([
  ['/the%20secret', 200],
  ['/the%20secret/', 200],
  ['/the%20secret/orders/1', 200],
  ['/the%20secret?key=1', 200],
  ['/the%20secret/orders', 404],
  ['/a/b/orders/1', 404],
  ['/orders/1', 200],
])(
  'POST /hook%s at a router with a secret in the path is answered with %i',
  async (path, status) => {
    const { receive, requests } = createBareReceiver();
    const app = express().use('/hook', toExpressRouter(receive, labels, true));
    await using served = await listen(app);
    const target = `/hook${path}`;
    expect((await exchangeRaw(served.port, rawPost(target, body))).status).toBe(status);
    expect(requests.map(({ url }) => url)).toEqual(status === 200 ? [target] : []);
  },
);

test('two routers of one application accept their own secret in the path alone', async () => {
  const [firstReceiver, secondReceiver] = ['first', 'second'].map((secret) =>
    createBareReceiver({ authenticate: sharedSecret({ path: true }, `the ${secret}`) }),
  );
  if (firstReceiver === undefined || secondReceiver === undefined)
    throw new TypeError('There are two.');
  const app = express()
    .use('/hooks/one', toExpressRouter(firstReceiver.receive, labels, true))
    .use('/hooks/other', toExpressRouter(secondReceiver.receive, labels, true));
  await using served = await listen(app);
  const statusOf = async (target: string): Promise<number> =>
    (await exchangeRaw(served.port, rawPost(target, body))).status;
  expect(await statusOf('/hooks/one/the%20first/orders/1')).toBe(200);
  expect(await statusOf('/hooks/other/the%20second/orders/1')).toBe(200);
  expect(await statusOf('/hooks/one/the%20second/orders/1')).toBe(401);
  expect(await statusOf('/hooks/other/the%20first')).toBe(401);
  expect([firstReceiver.bodies, secondReceiver.bodies]).toEqual([[body], [body]]);
});
