import { GrowingBytes } from '../base/index.ts';
import type { Receive } from './receiver.ts';
import { type HeaderLookup, type Waiting, bodyConsumed, tooLarge } from './contract.ts';

// What the adapters of other platforms need besides.
export { bodyConsumed, tooLarge } from './contract.ts';

/** A handler for a platform with `Request` and `Response`. It never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Creates a handler for a platform with `Request` and `Response` from a receiver.
 * @throws WebhookError `invalid-option` if the receiver's authentication reads the connection
 */
export function toFetchHandler(receive: Receive): FetchHandler {
  receive.admit?.('fetch');
  return async (request) => {
    const requestHeaders = joinedHeaders(request.headers);
    const { status, headers, body } = await receive({
      method: request.method,
      target: urlTarget(request.url),
      headers: requestHeaders,
      read: (maxBytes, waiting) => readRequest(request, requestHeaders, maxBytes, waiting),
    });
    return new Response(body ?? null, { status, headers: withoutConnection(headers) });
  };
}

/** Returns the path and query of the URL, as the platform provides them. */
export function urlTarget(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.indexOf('#');
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end);
}

/** Creates a lookup of headers. Fetch has already joined the values of a repeated header, so they are one value. */
export function joinedHeaders(headers: Headers): HeaderLookup {
  return (name) => {
    const value = headers.get(name);
    return value === null ? [] : [value];
  };
}

/** Returns the headers without `connection`, which the platform controls. */
export function withoutConnection(
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { connection: _, ...remainingHeaders } = headers;
  return remainingHeaders;
}

/**
 * Reads the whole body as `IncomingRequest.read` specifies. Counts the bytes received, because `content-length` can be
 * wrong.
 * @param headers the headers as the receiver reads them, which has refused an announced body above `maxBytes`
 */
export async function readRequest(
  request: Request,
  headers: HeaderLookup,
  maxBytes: number,
  waiting: Waiting,
): Promise<Uint8Array> {
  if (request.bodyUsed)
    throw bodyConsumed(
      'Call the receiver first, or pass request.clone() to the code that reads the body first.',
    );
  if (isShort(request, headers)) return new Uint8Array(await request.arrayBuffer());
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array(0);
  const body = new GrowingBytes();
  // Does not cancel the rest of the body: some hosts then close the connection, and the response is lost.
  for (;;) {
    const { done, value } = await reader.read();
    // Once the time is over, the receiver does not wait for the body any more.
    if (done || waiting.isOver) break;
    if (body.length + value.length > maxBytes) throw tooLarge();
    body.add(value);
  }
  return body.take();
}

/** Maximum number of bytes of a body that a server may collect itself. It can keep an object for each byte. */
const maxCollected = 16_384;

/**
 * Returns whether the server itself guarantees that the body is short. A server with its own `arrayBuffer`, such
 * as that of Hono for Node, reads the connection, whose HTTP parser ends the body at `content-length`. Creating a stream
 * would cost it more than the rest of the adapter. In a `Request` of the platform, `content-length` is only a text.
 */
function isShort(request: Request, headers: HeaderLookup): boolean {
  if (request.arrayBuffer === Request.prototype.arrayBuffer) return false;
  const lengths = headers('content-length');
  return (
    lengths.length === 1 &&
    /^\d{1,9}$/u.test(lengths[0] ?? '') &&
    Number(lengths[0]) <= maxCollected &&
    headers('transfer-encoding').length === 0
  );
}
