import type { Receive } from '@countersign/runtime/webhooks';
import { toFetchHandler } from '@countersign/runtime/webhooks/fetch';

/** The part of the context of a request that is used. */
export interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

/** The default export of a module of Cloudflare Workers. Its method does not use `this`. */
export interface ExportedHandler<Env extends object> {
  readonly fetch: (request: Request, env: Env, context: ExecutionContext) => Promise<Response>;
}

/**
 * Creates what a module of Cloudflare Workers exports. Creates one receiver for each environment object. Handlers
 * continue as long as the platform allows, even after the sender has disconnected or got an `out-of-time` response.
 * @param receiveOf creates the receiver from the environment, which has the secrets and bindings; a request rejects
 * with what it throws
 */
export function toExportedHandler<Env extends object>(
  receiveOf: (env: Env) => Receive,
): ExportedHandler<Env> {
  const receivers = new WeakMap<Env, Receive>();
  return {
    fetch: async (request, env, context) => {
      const receive = receivers.get(env) ?? receiveOf(env);
      receive.admit?.('cloudflare');
      receivers.set(env, receive);
      const { cf: connection }: Request & { readonly cf?: unknown } = request;
      const waitUntil = (work: Promise<unknown>): void => context.waitUntil(work);
      const answer = toFetchHandler((incoming) => receive({ ...incoming, connection, waitUntil }))(
        request,
      );
      waitUntil(answer);
      return await answer;
    },
  };
}
