import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { toFetchHandler } from '../../packages/webhooks/src/fetch.ts';
import { toNodeHandler } from '../../packages/webhooks/src/node.ts';
import type { Adapter, Served } from './workbench.ts';

/** The adapters that need nothing besides this repository. */
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
];

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
