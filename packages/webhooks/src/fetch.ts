import type { Receive } from './receiver.ts';
import type { HeaderLookup, Waiting } from './request.ts';
import { bodyConsumed, WebhookError } from './webhook-error.ts';

/** What a platform with `fetch` calls with a request; never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Makes a receiver the handler of a platform that speaks `Request` and `Response`. */
export function toFetchHandler(receive: Receive): FetchHandler {
  return async (request) => {
    const { status, headers, body } = await receive({
      method: request.method,
      target: urlTarget(request.url),
      headers: joinedHeaders(request.headers),
      read: (limit, waiting) => readRequest(request, limit, waiting),
    });
    return new Response(body ?? null, { status, headers: withoutConnection(headers) });
  };
}

/** The path and query of the URL, as the platform has left them. */
export function urlTarget(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.indexOf('#');
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end);
}

/** Fetch has joined the values of a repeated header by now; they show up as one. */
export function joinedHeaders(headers: Headers): HeaderLookup {
  return (name) => {
    const value = headers.get(name);
    return value === null ? [] : [value];
  };
}

/** The connection is the platform's own affair. */
export function withoutConnection(
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { connection: _, ...others } = headers;
  return others;
}

/** The whole body, as `IncomingRequest.read` has it. Counts the bytes that come: a `content-length` can be wrong. */
export async function readRequest(
  request: Request,
  limit: number,
  waiting: Waiting,
): Promise<Uint8Array> {
  if (request.bodyUsed)
    throw bodyConsumed('Call the receiver first, or pass request.clone() to what reads it first.');
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array(0);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // What is not read is left to the host: some close the connection where it is cancelled, and the answer is lost.
  for (;;) {
    const { done, value } = await reader.read();
    // Once the time is over, nobody waits for the body.
    if (done || waiting.isOver) break;
    size += value.length;
    if (size > limit)
      throw new WebhookError('too-large', 'The body has more bytes than are allowed.');
    chunks.push(value);
  }
  const [only] = chunks;
  return only !== undefined && chunks.length === 1
    ? only
    : new Uint8Array(await new Blob(chunks).arrayBuffer());
}
