import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a free port of this machine, for as long as a test uses it. */
export interface TestServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Connections that are open now. */
  readonly connections: () => Promise<number>;
}

/** Starts a server that answers every request by a listener, such as an Express application. */
export async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
