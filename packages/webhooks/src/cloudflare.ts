import { toFetchHandler } from './fetch.ts';
import type { Receive } from './receiver.ts';

/** The part of a Worker's execution context that is used. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

/** The default export of a module Worker. Its method does not use `this`. */
export interface Worker<Env extends object> {
  readonly fetch: (request: Request, env: Env, context: WorkerContext) => Promise<Response>;
}

/**
 * Creates a module Worker. Creates one receiver for each environment object. Handlers continue as long as the platform
 * allows, even after the sender has disconnected or got an `out-of-time` response.
 * @param receiveOf creates the receiver from the environment, which has the secrets and bindings; a request rejects
 * with what it throws
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
