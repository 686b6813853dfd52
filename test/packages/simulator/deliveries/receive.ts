import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as a receiver got it. */
export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver that keeps what it got. */
export interface TestReceiver {
  readonly url: string;
  readonly received: Received[];
  /** The number of requests that began, complete or not. */
  readonly begun: () => number;
}

/**
 * Listens until the test has finished.
 * @param answer returns the status of a response, or `reset` to close the connection instead
 */
export async function receive(
  answer: (request: Received, index: number) => number | 'reset' | Promise<number | 'reset'> = () =>
    200,
): Promise<TestReceiver> {
  const received: Received[] = [];
  let begun = 0;
  const server = createServer((request, response) => {
    begun += 1;
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { method, url, headers } = request;
      const requestWithBody = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(requestWithBody);
      const status = await answer(requestWithBody, received.length - 1);
      if (status === 'reset') request.socket.destroy();
      else response.writeHead(status, { 'x-answer': 'yes' }).end(`status ${status}`);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks`, received, begun: () => begun };
}
