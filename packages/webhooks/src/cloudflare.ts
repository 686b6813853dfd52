import { toFetchHandler } from './fetch.ts';
import type { Receive } from './receiver.ts';

/** What Workers give a request besides its environment. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

/** The default export of a module Worker; needs no `this`. */
export interface Worker<Env extends object> {
  readonly fetch: (request: Request, env: Env, context: WorkerContext) => Promise<Response>;
}

/**
 * Makes a Worker of the receiver for its environment, which is made once. Handlers go on where the sender has hung up,
 * or was told that they took too long, for as long as the platform lets them.
 * @param receiveOf is where secrets and bindings are known; a request fails with what it throws
 */
export function toWorker<Env extends object>(receiveOf: (env: Env) => Receive): Worker<Env> {
  const receivers = new WeakMap<Env, Receive>();
  return {
    fetch: async (request, env, context) => {
      const receive = receivers.get(env) ?? receiveOf(env);
      receivers.set(env, receive);
      const waitUntil = (work: Promise<unknown>): void => context.waitUntil(work);
      const answer = toFetchHandler((incoming) => receive({ ...incoming, waitUntil }))(request);
      waitUntil(answer);
      return await answer;
    },
  };
}
