import { bodyParser } from '@koa/bodyparser';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { describe, expect, test } from 'vitest';
import { frameworkNames, frameworkOf } from '../../../../generator/targets/printing/frameworks.ts';
import { toExpressHandler } from '../../../../packages/runtime/adapters/express.ts';
import { toFastifyPlugin } from '../../../../packages/runtime/adapters/fastify.ts';
import { toHonoApp } from '../../../../packages/runtime/adapters/hono.ts';
import type { Receive } from '../../../../packages/runtime/webhooks/receiver.ts';
import { toKoaMiddleware } from '../../../../packages/runtime/adapters/koa.ts';
import { listen, listenFastify, listenHono } from './listen.ts';
import { createBareReceiver } from './bare-receiver.ts';
import {
  EchoController,
  moduleOf,
  NoHandlers,
  platforms,
  startNest,
} from './nestjs-application.ts';
import { exchangeRaw, rawPost } from './raw-exchange.ts';
import type { Served } from './workbench.ts';

/** Apps with one receiver at `/first`, another at `/second`, and `/echo`, which answers with the body it parsed. */
const apps: readonly (readonly [string, (first: Receive, second: Receive) => Promise<Served>])[] = [
  [
    'express',
    (first, second) => {
      const app = express().set('trust proxy', true);
      app.use('/first', toExpressHandler(first));
      app.use('/second', toExpressHandler(second));
      app.use(express.json());
      app.post('/echo', (request, response) => void response.json(request.body));
      app.use((_error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
        response.status(599).send('the page of errors');
      });
      return listen(app);
    },
  ],
  [
    'fastify',
    async (first, second) => {
      const app = fastify({ trustProxy: true, bodyLimit: 12 });
      app.setErrorHandler((_error, _request, reply) => reply.code(599).send('the page of errors'));
      await app.register(toFastifyPlugin(first), { prefix: '/first' });
      await app.register(toFastifyPlugin(second), { prefix: '/second' });
      app.post('/echo', (request) => Promise.resolve(request.body));
      return await listenFastify(app);
    },
  ],
  [
    'koa',
    (first, second) => {
      const app = new Koa({ proxy: true });
      app.use(async (context, next) => {
        try {
          await next();
        } catch {
          context.status = 599;
        }
      });
      app.use(toKoaMiddleware(first, { path: '/first' }));
      app.use(toKoaMiddleware(second, { path: '/second/' }));
      app.use(bodyParser());
      app.use((context) => {
        if (context.path === '/echo') context.body = context.request.body;
      });
      return listen(app.callback());
    },
  ],
  [
    'hono',
    (first, second) => {
      const app = new Hono();
      app.onError((_error, context) => context.text('the page of errors', 500));
      app.route('/first', toHonoApp(first));
      app.route('/second', toHonoApp(second));
      app.post('/echo', async (context) => context.json(await context.req.json()));
      return listenHono(app);
    },
  ],
  ...platforms.map(
    ([platform, createPlatform]) =>
      [
        `nestjs on ${platform}`,
        (first: Receive, second: Receive) =>
          startNest(createPlatform(), {
            imports: [moduleOf(first, '/first'), moduleOf(second, '/second')],
            providers: [NoHandlers],
            controllers: [EchoController],
          }),
      ] as const,
  ),
];

/** Frameworks with an adapter whose code is a function or a route of its own, so that nothing mounts it in an app. */
const unmounted = ['aws-lambda', 'cloudflare', 'nextjs'];

test('every framework whose adapter is mounted has an app', () => {
  const mounted = apps.map(([name]) => name.split(' ', 1)[0] ?? '');
  const adapted = frameworkNames.filter((name) => frameworkOf(name).adapter);
  expect([...new Set([...mounted, ...unmounted])].toSorted()).toEqual(adapted.toSorted());
});

const forwarded = ['X-Forwarded-Host: elsewhere', 'X-Forwarded-Prefix: /else'];

/** Frameworks that answer with 404 where a path does not begin with the prefix literally. */
const ownRouting: ReadonlySet<string> = new Set(['express', 'fastify', 'hono']);

describe.each(apps)('two receivers in one app of %s', (name, serve) => {
  test('answer below their prefixes, each by its own options', async () => {
    const first = createBareReceiver();
    const second = createBareReceiver({ maxBodyBytes: 10, responses: { unidentified: 202 } });
    await using served = await serve(first.receive, second.receive);
    for (const path of ['/first', '/first/', '/first/a/b'])
      expect((await exchangeRaw(served.port, rawPost(path, '{"longer": 1}'))).status).toBe(200);
    expect((await exchangeRaw(served.port, rawPost('/second', '{"longer": 1}'))).status).toBe(413);
    expect((await exchangeRaw(served.port, rawPost('/second/a', '{"a":1}'))).status).toBe(202);
    expect([first.bodies.length, second.bodies]).toEqual([3, ['{"a":1}']]);
  });

  test('leave every other path, and the bodies there, to the app', async () => {
    const { receive, records } = createBareReceiver();
    await using served = await serve(receive, receive);
    const json = ['Content-Type: application/json'];
    const echoed = await exchangeRaw(served.port, rawPost('/echo', '{"a": 1}', json));
    expect([echoed.status, echoed.text]).toEqual([200, '{"a":1}']);
    for (const path of ['/', '/firstborn', '/echo/first'])
      expect((await exchangeRaw(served.port, rawPost(path, ''))).status).toBe(404);
    expect(records).toEqual([]);
  });

  test.each(['//first/a', '/first%2fa', '/other/..//first/a'])(
    'get a delivery at %s, where the app does not answer by itself',
    async (path) => {
      const { receive, records } = createBareReceiver();
      await using served = await serve(receive, receive);
      expect((await exchangeRaw(served.port, rawPost(path, '{}'))).status).toBe(404);
      const reasons = records.map(({ reason }) => reason);
      // These frameworks compare the prefix themselves, before they call anything that is mounted there.
      expect(reasons).toEqual(ownRouting.has(name) ? [] : ['malformed-path']);
    },
  );

  test('see path, query and headers as they were sent', async () => {
    const { receive, requests } = createBareReceiver();
    await using served = await serve(receive, receive);
    const target = '/first/%61//..;/%2e%2e/./x%2Fy/?q=%7E&q=+#';
    const lines = [...forwarded, 'X-Twice: 1', 'x-twice: 2', 'Content-Type: application/json'];
    await exchangeRaw(served.port, rawPost(target, '{}', lines));
    expect(requests.map(({ url }) => url)).toEqual([target]);
    expect(requests[0]?.headers('x-twice')).toEqual(['1', '2']);
  });

  test.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT'])(
    'answer %s with 405 and the right methods',
    async (method) => {
      const { receive, records } = createBareReceiver();
      await using served = await serve(receive, receive);
      for (const path of ['/first', '/first/a']) {
        const answer = await exchangeRaw(
          served.port,
          `${method} ${path} HTTP/1.1\nHost: example\n\n`,
        );
        expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
        expect(answer.text).toBe(method === 'HEAD' ? '' : '{"error":"wrong-method"}');
      }
      expect(records.map(({ reason }) => reason)).toEqual(['wrong-method', 'wrong-method']);
    },
  );

  test('answer with nothing where there is nothing to say', async () => {
    const { receive } = createBareReceiver();
    await using served = await serve(receive, receive);
    const url = `http://127.0.0.1:${served.port}/first`;
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toBeNull();
  });

  test.each([
    ['is announced', 'Content-Length: 20000000'],
    ['has no length', 'Transfer-Encoding: chunked'],
  ])('refuse 20 MB with 413 and close the connection, where that %s', async (_how, line) => {
    const { receive, bodies } = createBareReceiver({ maxBodyBytes: 1000 });
    await using served = await serve(receive, receive);
    const chunk = `7d0\n${' '.repeat(2000)}\n`;
    const head = `POST /first HTTP/1.1\nHost: example\n${line}\n\n`;
    const answer = await exchangeRaw(served.port, head + chunk);
    expect([answer.status, answer.text]).toEqual([413, '{"error":"too-large"}']);
    expect([answer.isClosed, bodies]).toEqual([true, []]);
  });

  test.each(['Content-Length: 100', 'Transfer-Encoding: chunked'])(
    'answer a body that never ends with 408 and close the connection (%s)',
    async (line) => {
      const { receive, bodies } = createBareReceiver({ readTimeoutMs: 50 });
      await using served = await serve(receive, receive);
      const head = `POST /first HTTP/1.1\nHost: example\n${line}\n\n`;
      const answer = await exchangeRaw(served.port, `${head}2\n{}\n`);
      expect([answer.status, answer.text]).toEqual([408, '{"error":"too-slow"}']);
      expect([answer.isClosed, bodies]).toEqual([true, []]);
    },
  );

  test.each(['json', '', ';', 'application/json; =', 'a b/c', 'multipart/form-data', 'text/html'])(
    'take the bytes for what they are, whatever the type: "%s"',
    async (type) => {
      const { receive, bodies } = createBareReceiver();
      await using served = await serve(receive, receive);
      const lines = [`Content-Type: ${type}`];
      const answer = await exchangeRaw(served.port, rawPost('/first', '{"a": 1, "b": 2}', lines));
      expect([answer.status, bodies]).toEqual([200, ['{"a": 1, "b": 2}']]);
    },
  );

  test('never show the page of errors, whatever their own functions throw', async () => {
    const fails = (): never => {
      throw new Error('The directory is down.');
    };
    const { receive } = createBareReceiver({ authenticate: fails, onEvent: fails });
    await using served = await serve(receive, receive);
    const answer = await exchangeRaw(served.port, rawPost('/first', '{}'));
    expect([answer.status, answer.text]).toEqual([500, '{"error":"authentication-failed"}']);
  });
});
