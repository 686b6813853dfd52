import type { IncomingMessage } from 'node:http';
import type { Outcome, Receive } from '@countersign/runtime/webhooks';
import {
  invalid,
  isAtOrBelow,
  readBody,
  receivedHeaders,
  splitTarget,
} from '@countersign/runtime/webhooks/node';

/** The part of Koa's context that the middleware uses. Every major version of Koa has it. */
export interface KoaContext {
  readonly req: IncomingMessage;
  readonly request: object;
  readonly url: string;
  readonly originalUrl: string;
  status: number;
  body: unknown;
  remove(field: string): void;
  set(fields: Record<string, string>): void;
}

/** A middleware of Koa, of every major version. It adds nothing to the type of the application's context. */
export type KoaMiddleware = <Context extends KoaContext>(
  context: Context,
  next: () => Promise<unknown>,
) => Promise<void>;

/** The options of the Koa middleware. */
export interface KoaOptions {
  /** The path, not decoded, at and below which the middleware answers. Default: every path. */
  readonly path?: string;
}

/**
 * Creates a Koa middleware that answers at and below its path, and passes all other requests on.
 * @throws WebhookError `invalid-option` for a path that does not start with a slash
 */
export function toKoaMiddleware(receive: Receive, { path = '/' }: KoaOptions = {}): KoaMiddleware {
  if (!path.startsWith('/')) throw invalid('`path` must begin with /');
  receive.admit?.('node');
  const parent = path.endsWith('/') ? path.slice(0, -1) : path;
  return async (context, next) => {
    const below = splitTarget(context.url).path;
    if (!isAtOrBelow(parent, below)) {
      await next();
      return;
    }
    const request: IncomingMessage & { readonly originalUrl?: string } = context.req;
    respond(
      context,
      await receive({
        method: request.method ?? '',
        // Mounting changes `url`. A host framework such as Express keeps the received URL in `originalUrl` of the
        // request, and Koa in its context.
        target: request.originalUrl ?? context.originalUrl,
        headers: receivedHeaders(request),
        connection: request.socket,
        read: (maxBytes, waiting) => readBody(request, maxBytes, waiting, fix, context.request),
      }),
    );
  };
}

function respond(context: KoaContext, { status, headers, body = '' }: Outcome): void {
  context.status = status;
  context.body = body;
  // Koa sets the type of every string body to text/plain.
  context.remove('Content-Type');
  context.set({ ...headers });
}

const fix =
  'Use the receiver before body parsers, or keep them off its path; or have them keep the bytes as context.request.rawBody.';
