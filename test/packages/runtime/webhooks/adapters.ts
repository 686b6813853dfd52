import express from 'express';
import fastify from 'fastify';
import Koa from 'koa';
import { toExpressHandler } from '../../../../packages/runtime/adapters/express.ts';
import { toFastifyPlugin } from '../../../../packages/runtime/adapters/fastify.ts';
import { toFetchHandler } from '../../../../packages/runtime/webhooks/fetch.ts';
import { toHonoApp } from '../../../../packages/runtime/adapters/hono.ts';
import { toKoaMiddleware } from '../../../../packages/runtime/adapters/koa.ts';
import { toNodeHandler } from '../../../../packages/runtime/webhooks/node.ts';
import { lambdaAdapters } from './adapters-aws-lambda.ts';
import { cloudflareAdapter } from './adapters-cloudflare.ts';
import { nestAdapters } from './adapters-nestjs.ts';
import { nextAdapter } from './adapters-nextjs.ts';
import { listen, listenFastify, listenFetch, listenHono } from './listen.ts';
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
    serve: (receive) => listenFetch(toFetchHandler(receive)),
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
      'the path: an authentic delivery below /hook/%zz reaches onInvalid':
        'Fastify refuses what it cannot decode, with 400, before it looks for a route',
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
    serve: (receive) => listenHono(toHonoApp(receive)),
  },
  ...nestAdapters,
  nextAdapter,
  ...lambdaAdapters,
  cloudflareAdapter,
];
