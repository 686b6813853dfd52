import type { HonoRequest } from 'hono';
import { readRequest } from './fetch.ts';
import { type HeaderLookup, type Waiting, bodyConsumed } from './contract.ts';

/** How to fix a body that was read before the receiver. */
const honoFix =
  'Mount the receiver before the code that reads the body, or read the body there with c.req.arrayBuffer(), so that Hono keeps the bytes.';

/**
 * Reads the whole body as `IncomingRequest.read` specifies. Uses Hono's cache where other code has read the body
 * before.
 */
export async function readHonoBody(
  request: HonoRequest,
  headers: HeaderLookup,
  maxBytes: number,
  waiting: Waiting,
): Promise<Uint8Array> {
  const { bodyCache, raw } = request;
  if (bodyCache.arrayBuffer !== undefined) return new Uint8Array(await request.arrayBuffer());
  if (bodyCache.blob !== undefined)
    return new Uint8Array(await (await request.blob()).arrayBuffer());
  if (bodyCache.text !== undefined)
    return fromText(await request.text(), request.header('content-length'));
  if (raw.bodyUsed) throw bodyConsumed(honoFix);
  return await readRequest(raw, headers, maxBytes, waiting);
}

/**
 * Returns the bytes of a decoded text.
 * @throws WebhookError `body-consumed` where decoding has lost bytes: a byte order mark, or bytes that are not UTF-8
 */
function fromText(text: string, length: string | undefined): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (text.includes('\uFFFD') || (length !== undefined && Number(length) !== bytes.length))
    throw bodyConsumed(honoFix);
  return bytes;
}
