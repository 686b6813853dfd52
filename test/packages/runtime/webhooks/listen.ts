import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { getRequestListener } from '@hono/node-server';
import type { FastifyInstance } from 'fastify';
import type { Hono } from 'hono';
import type { Served } from './workbench.ts';

/** Listens on a free port of the loopback. */
export async function listen(listener: RequestListener): Promise<Served> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Listens with an app of Fastify on a free port of the loopback. */
export async function listenFastify(app: FastifyInstance): Promise<Served> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    port: (app.server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** Listens with an app of Hono on a free port of the loopback; `Request` and `Response` stay those of Node. */
export function listenHono({ fetch }: Hono): Promise<Served> {
  return listen(getRequestListener(fetch, { overrideGlobalObjects: false }));
}

/** Listens for what speaks `Request` and `Response`, as platforms of the fetch family do. */
export function listenFetch(handle: (request: Request) => Promise<Response>): Promise<Served> {
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
}
