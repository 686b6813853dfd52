import type { HonoRequest } from 'hono';
import { readRequest } from './fetch.ts';
import type { Waiting } from './request.ts';
import { bodyConsumed } from './webhook-error.ts';

/** What there is to do where the body is gone. */
export const honoFix =
  'Mount the receiver before what reads the body, or have that read it with c.req.arrayBuffer(), so that Hono keeps the bytes.';

/** The whole body, as `IncomingRequest.read` has it; from what Hono keeps, where it has read it for others. */
export async function readHonoBody(
  request: HonoRequest,
  limit: number,
  waiting: Waiting,
): Promise<Uint8Array> {
  const { bodyCache, raw } = request;
  if (bodyCache.arrayBuffer !== undefined) return new Uint8Array(await request.arrayBuffer());
  if (bodyCache.blob !== undefined)
    return new Uint8Array(await (await request.blob()).arrayBuffer());
  if (bodyCache.text !== undefined)
    return fromText(await request.text(), request.header('content-length'));
  if (raw.bodyUsed) throw bodyConsumed(honoFix);
  return await readRequest(raw, limit, waiting);
}

/** The bytes that a text was decoded from; a byte order mark is lost in it, and so are those that are no UTF-8. */
function fromText(text: string, length: string | undefined): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (text.includes('\uFFFD') || (length !== undefined && Number(length) !== bytes.length))
    throw bodyConsumed(honoFix);
  return bytes;
}
