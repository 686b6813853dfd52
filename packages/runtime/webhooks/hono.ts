import { Hono, type Context, type ExecutionContext } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { joinedHeaders, urlTarget, withoutConnection } from './fetch.ts';
import { readHonoBody } from './hono-body.ts';
import { receivedHeaders, receivedTarget } from './node.ts';
import type { Receive } from './receiver.ts';
import type { IncomingRequest } from './contract.ts';

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
