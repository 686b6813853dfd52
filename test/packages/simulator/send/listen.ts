import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listen } from '../../runtime/webhooks/listen.ts';

/** Listens on a free port of the loopback until the test is over; answers with the URL. */
export async function listenForTest(listener: RequestListener): Promise<string> {
  const served = await listen(listener);
  onTestFinished(() => served[Symbol.asyncDispose]());
  return `http://127.0.0.1:${served.port}`;
}

/** A request as an endpoint gets it. */
export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  readonly text: string;
}

/** An endpoint that answers every request with a status and remembers what it got. */
export async function receiveAll(
  status = 200,
): Promise<{ readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const url = await listenForTest(async (request, response) => {
    const { method, url: target, headers } = request;
    const sent = await text(request);
    received.push({ method, url: target, headers, body: JSON.parse(sent), text: sent });
    response.writeHead(status).end();
  });
  return { url, received };
}
