import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import type { Webhooks } from '@instant-payment/webhooks';
import { toExpressHandler } from '@countersign/runtime/adapters/express';
import { toFastifyPlugin } from '@countersign/runtime/adapters/fastify';
import { toHonoApp } from '@countersign/runtime/adapters/hono';
import { toKoaMiddleware } from '@countersign/runtime/adapters/koa';
import { toNodeHandler } from '@countersign/runtime/webhooks/node';
import { createFloor } from './notifications.ts';

/** An adapter, and the floor for it: a bare server of its framework that reads the body and responds with 204. */
export interface AdapterRow {
  readonly name: string;
  /** Whether deliveries of equal content are deduplicated, which takes one more hash. */
  readonly deduplicates?: boolean;
  readonly bare: () => RequestListener | Promise<RequestListener>;
  readonly receiving: (webhooks: Webhooks) => RequestListener | Promise<RequestListener>;
}

/** A bare `node:http` server that reads the body and responds with 204. */
export const drain: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    Buffer.concat(chunks);
    response.writeHead(204).end();
  });
};

const node: AdapterRow = {
  name: 'node',
  bare: () => drain,
  receiving: ({ receive }) => {
    const handle = toNodeHandler(receive);
    return (request, response) => void handle(request, response);
  },
};

/** What each adapter would cost at least: the bare server with HMAC, comparison and `JSON.parse`. */
const floor: AdapterRow = {
  ...node,
  name: 'node: HMAC, comparison, JSON.parse alone',
  receiving() {
    const receive = createFloor();
    return (request, response) => {
      const {
        apikey = '',
        'x-timestamp': timestamp,
        'x-hmac-signature': signature,
      } = request.headers;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receive({
          body: Buffer.concat(chunks),
          signature: Buffer.from(String(signature), 'base64'),
          signed: `${String(apikey)}${String(timestamp)}`,
        });
        response.writeHead(204).end();
      });
    };
  },
};

/** The status of the response to a duplicate, which the sender takes for an error. */
export const duplicateStatus = 409;

/** Each adapter on its framework. */
export const adapterRows: readonly AdapterRow[] = [
  floor,
  node,
  { ...node, name: 'node, deduplicated by content', deduplicates: true },
  {
    name: 'fetch',
    bare: () =>
      toListener(async (request) => {
        await request.arrayBuffer();
        return new Response(null, { status: 204 });
      }),
    receiving: ({ fetch }) => toListener(fetch),
  },
  {
    name: 'express',
    bare: () =>
      express().use(express.raw({ type: '*/*' }), (_request, response) => {
        response.status(204).end();
      }),
    receiving: ({ receive }) => express().use(toExpressHandler(receive)),
  },
  {
    name: 'fastify',
    bare() {
      const app = fastify();
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
        done(null, body);
      });
      app.post('/*', (_request, reply) => reply.code(204).send());
      return startFastify(app);
    },
    receiving({ receive }) {
      const app = fastify();
      void app.register(toFastifyPlugin(receive));
      return startFastify(app);
    },
  },
  {
    name: 'koa',
    bare: () =>
      toCallback(
        new Koa().use(async (context) => {
          await readToEnd(context.req);
          context.status = 204;
        }),
      ),
    receiving: ({ receive }) => toCallback(new Koa().use(toKoaMiddleware(receive))),
  },
  {
    name: 'hono',
    bare: () =>
      toListener(
        new Hono().post('*', async (context) => {
          await context.req.arrayBuffer();
          return context.body(null, 204);
        }).fetch,
      ),
    receiving: ({ receive }) => toListener(toHonoApp(receive).fetch),
  },
];

function toListener(handle: (request: Request) => Response | Promise<Response>): RequestListener {
  const listener = getRequestListener(handle);
  return (request, response) => void listener(request, response);
}

async function startFastify(app: FastifyInstance): Promise<RequestListener> {
  await app.ready();
  return (request, response) => app.routing(request, response);
}

function toCallback(app: Koa): RequestListener {
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

async function readToEnd(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  Buffer.concat(chunks);
}
