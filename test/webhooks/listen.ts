import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
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
