import type {
  HeaderLookup,
  IncomingRequest,
  Receive,
  Waiting,
} from '@countersign/runtime/webhooks';
import {
  bodyConsumed,
  joinedHeaders,
  readRequest,
  urlTarget,
  withoutConnection,
} from '@countersign/runtime/webhooks/fetch';
import { receivedHeaders, receivedTarget } from '@countersign/runtime/webhooks/node';
import { Hono, type Context, type ExecutionContext, type HonoRequest } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';

/**
 * Creates a Hono app that answers every request that it is mounted for, even where Hono has read the body before. On
 * Workers, handlers continue after the sender has disconnected or got an `out-of-time` response.
 */
export function toHonoApp(receive: Receive): Hono {
  receive.admit?.('hono');
  return new Hono().all('*', async (context) => {
    const { status, headers, body } = await receiveFrom(context, receive);
    return context.newResponse(body ?? null, status as StatusCode, { ...headers });
  });
}

async function receiveFrom(context: Context, receive: Receive): ReturnType<Receive> {
  const { req: request } = context;
  const { method } = request;
  const incoming = incomingOf(context.env);
  const headers =
    incoming === undefined ? joinedHeaders(request.raw.headers) : receivedHeaders(incoming);
  const read: IncomingRequest['read'] = (maxBytes, waiting) =>
    readHonoBody(request, headers, maxBytes, waiting);
  if (incoming !== undefined)
    return await receive({
      method,
      target: receivedTarget(incoming),
      headers,
      read,
      connection: incoming.socket,
    });
  const execution = executionOf(context);
  const waitUntil = (work: Promise<unknown>): void => execution?.waitUntil(work);
  const target = urlTarget(request.url);
  const { cf }: Request & { readonly cf?: unknown } = request.raw;
  const { requestContext } = (context.env ?? {}) as { readonly requestContext?: unknown };
  const connection = cf ?? requestContext;
  const answer = receive({ method, target, headers, read, waitUntil, connection });
  waitUntil(answer);
  const outcome = await answer;
  return { ...outcome, headers: withoutConnection(outcome.headers) };
}

/** On Node, Hono provides the original request, whose target and headers `Request` normalizes. */
interface Incoming {
  readonly url: string;
  readonly rawHeaders: string[];
  readonly socket?: unknown;
}

function incomingOf(env: unknown): Incoming | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: Partial<Incoming> };
  return typeof incoming?.url === 'string' && Array.isArray(incoming.rawHeaders)
    ? (incoming as Incoming)
    : undefined;
}

function executionOf(context: Context): ExecutionContext | undefined {
  try {
    return context.executionCtx;
  } catch {
    return undefined;
  }
}

/** How to fix a body that was read before the receiver. */
const honoFix =
  'Mount the receiver before the code that reads the body, or read the body there with c.req.arrayBuffer(), so that Hono keeps the bytes.';

/**
 * Reads the whole body as `IncomingRequest.read` specifies. Uses Hono's cache where other code has read the body
 * before.
 */
async function readHonoBody(
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
