import { Hono, type HonoRequest } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { joinedHeaders, readRequest, urlTarget, withoutConnection } from './fetch.ts';
import { receivedHeaders, receivedTarget } from './node.ts';
import type { Receive } from './receiver.ts';
import { warnOfConsumedBody } from './warn-of-consumed-body.ts';
import { bodyConsumed } from './webhook-error.ts';

/** Makes a receiver an app of Hono that answers everything it is mounted on, also where Hono has read the body before. */
export function toHonoApp(receive: Receive): Hono {
  return new Hono().all('*', async (context) => {
    const { req: request } = context;
    const incoming = incomingOf(context.env);
    const { status, reason, headers, body } = await receive({
      method: request.method,
      target: incoming === undefined ? urlTarget(request.url) : receivedTarget(incoming),
      headers:
        incoming === undefined ? joinedHeaders(request.raw.headers) : receivedHeaders(incoming),
      read: (limit, signal) => readBody(request, limit, signal),
    });
    if (reason === 'body-consumed') warnOfConsumedBody(fix);
    return context.newResponse(body ?? null, {
      status: status as StatusCode,
      headers: incoming === undefined ? withoutConnection(headers) : { ...headers },
    });
  });
}

/** On Node, Hono has what was received beside what `Request` makes of it. */
interface Incoming {
  readonly url: string;
  readonly rawHeaders: string[];
}

function incomingOf(env: unknown): Incoming | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: Partial<Incoming> };
  return typeof incoming?.url === 'string' && Array.isArray(incoming.rawHeaders)
    ? (incoming as Incoming)
    : undefined;
}

/** Hono keeps what it has read for others. */
async function readBody(
  request: HonoRequest,
  limit: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { bodyCache, raw } = request;
  if (bodyCache.arrayBuffer !== undefined) return new Uint8Array(await request.arrayBuffer());
  if (bodyCache.blob !== undefined)
    return new Uint8Array(await (await request.blob()).arrayBuffer());
  const length = request.header('content-length');
  if (bodyCache.text !== undefined) return fromText(await request.text(), length);
  if (raw.bodyUsed) throw bodyConsumed(fix);
  // Far cheaper than a stream, and no more than was announced can come.
  if (Number(length) <= limit) return new Uint8Array(await request.arrayBuffer());
  return await readRequest(raw, limit, signal);
}

/** The bytes that a text was decoded from; a byte order mark is lost in it, and so are those that are no UTF-8. */
function fromText(text: string, length: string | undefined): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (text.includes('\uFFFD') || (length !== undefined && Number(length) !== bytes.length))
    throw bodyConsumed(fix);
  return bytes;
}

const fix =
  'Mount the receiver before what reads the body, or have that read it with c.req.arrayBuffer(), so that Hono keeps the bytes.';
