import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import Koa from 'koa';
import { toExpressHandler } from '../../packages/webhooks/src/express.ts';
import { toFastifyPlugin } from '../../packages/webhooks/src/fastify.ts';
import { toFetchHandler } from '../../packages/webhooks/src/fetch.ts';
import { toHonoApp } from '../../packages/webhooks/src/hono.ts';
import { toKoaMiddleware } from '../../packages/webhooks/src/koa.ts';
import { toNodeHandler } from '../../packages/webhooks/src/node.ts';
import { nestAdapters } from './adapters-nestjs.ts';
import { listen, listenFastify } from './listen.ts';
import type { Adapter } from './workbench.ts';

/** Every adapter, on the real framework. */
export const adapters: readonly Adapter[] = [
  {
    name: 'node',
    keepsPath: true,
    serve(receive) {
      const handle = toNodeHandler(receive);
      return listen((request, response) => void handle(request, response));
    },
  },
  {
    name: 'fetch',
    keepsPath: false,
    serve(receive) {
      const handle = toFetchHandler(receive);
      return listen((incoming, outgoing) => {
        const { method = 'GET', url = '/', headers } = incoming;
        const hasBody = method !== 'GET' && method !== 'HEAD';
        const request = new Request(`http://127.0.0.1${url}`, {
          method,
          headers: Object.entries(headers).flatMap(([name, value]) =>
            [value ?? []].flat().map((item): [string, string] => [name, item]),
          ),
          ...(hasBody
            ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' }
            : {}),
        } as RequestInit);
        void handle(request).then(async (response) => {
          outgoing.writeHead(response.status, [...response.headers.entries()].flat());
          outgoing.end(Buffer.from(await response.arrayBuffer()));
        });
      });
    },
  },
  {
    name: 'express',
    keepsPath: true,
    serve: (receive) => listen(express().use(toExpressHandler(receive))),
  },
  {
    name: 'fastify',
    keepsPath: true,
    exceptions: {
      'the path: with an encoding that is none is answered with 404':
        'Fastify refuses what it cannot decode, with 400, before it looks for a route',
    },
    async serve(receive) {
      const app = fastify();
      await app.register(toFastifyPlugin(receive));
      return await listenFastify(app);
    },
  },
  {
    name: 'koa',
    keepsPath: true,
    serve: (receive) => listen(new Koa().use(toKoaMiddleware(receive)).callback()),
  },
  {
    name: 'hono',
    keepsPath: true,
    serve: (receive) =>
      listen(getRequestListener(toHonoApp(receive).fetch, { overrideGlobalObjects: false })),
  },
  ...nestAdapters,
];
