import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { bodyParser } from '@koa/bodyparser';
import express from 'express';
import Koa, { type Middleware } from 'koa';
import { expect, test } from 'vitest';
import { toKoaMiddleware } from '../../../../packages/runtime/adapters/koa.ts';
import { listen } from '../webhooks/listen.ts';
import { createBareReceiver } from '../webhooks/bare-receiver.ts';
import { exchangeRaw, rawPost } from '../webhooks/raw-exchange.ts';

const body = '{"a": 1}';
const json = ['Content-Type: application/json'];

test("behind Koa's body parser a delivery is answered with 500, and a warning says what to do", async () => {
  const { receive, bodies, records } = createBareReceiver();
  await using served = await listen(
    new Koa().use(bodyParser()).use(toKoaMiddleware(receive)).callback(),
  );
  const warned = once(process, 'warning');
  const { status } = await exchangeRaw(served.port, rawPost('/', body, json));
  const [warning] = (await warned) as [NodeJS.ErrnoException & { readonly detail: string }];
  expect([status, bodies, warning.code]).toEqual([500, [], 'COUNTERSIGN_BODY_CONSUMED']);
  expect(warning.detail).toMatch(/Use the receiver before body parsers/);
  expect(String(records[0]?.error)).toContain(warning.detail);
});

test.each(['rawBody', 'body'])('a body that was kept as request.%s is received', async (member) => {
  const { receive, bodies } = createBareReceiver();
  const keep: Middleware = async ({ req, request }, next) => {
    Object.assign(request, { [member]: await buffer(req) });
    await next();
  };
  await using served = await listen(new Koa().use(keep).use(toKoaMiddleware(receive)).callback());
  expect((await exchangeRaw(served.port, rawPost('/', body))).status).toBe(200);
  expect(bodies).toEqual([body]);
});

test('where Koa or what is around it has cut the path, the received one is seen and the cut one decides', async () => {
  const { receive, requests } = createBareReceiver();
  const koa = new Koa();
  koa.use(async (context, next) => {
    context.path = context.path.replace(/^\/inner/u, '');
    await next();
  });
  koa.use(toKoaMiddleware(receive, { path: '/hook' }));
  await using alone = await listen(koa.callback());
  await using mounted = await listen(express().use('/outer', koa.callback()));
  await exchangeRaw(alone.port, rawPost('/inner/hook/a?b', body));
  await exchangeRaw(mounted.port, rawPost('/outer/inner/hook/a?b', body));
  expect((await exchangeRaw(alone.port, rawPost('/inner/a', body))).status).toBe(404);
  expect(requests.map(({ url }) => url)).toEqual(['/inner/hook/a?b', '/outer/inner/hook/a?b']);
});

test('what middleware has set before stays, except the type of a body that there is not', async () => {
  const { receive } = createBareReceiver();
  const app = new Koa();
  app.use(async (context, next) => {
    context.type = 'json';
    context.set('x-before', 'set');
    await next();
    context.set('x-after', String(context.status));
  });
  app.use(toKoaMiddleware(receive));
  await using served = await listen(app.callback());
  const { status, text, headers } = await exchangeRaw(served.port, rawPost('/', body));
  expect([status, text]).toEqual([200, '']);
  expect(headers).toMatchObject({ 'x-before': 'set', 'x-after': '200', 'content-length': '0' });
  expect(headers).not.toHaveProperty('content-type');
});

test('a path that does not begin with a slash is refused when the middleware is made', () => {
  const { receive } = createBareReceiver();
  expect(() => toKoaMiddleware(receive, { path: 'hook' })).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  );
});
