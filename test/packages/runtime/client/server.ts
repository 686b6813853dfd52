import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Arrival {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly arrived: readonly Arrival[];
}

/** Starts a server on a free port of this machine. A request is answered by `answer` once its body has arrived. */
export async function startServer(
  answer: (request: Arrival, response: ServerResponse) => unknown,
): Promise<TestServer> {
  const arrived: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const arrival = { method, url, headers, body: Buffer.concat(chunks).toString() };
      arrived.push(arrival);
      void answer(arrival, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
