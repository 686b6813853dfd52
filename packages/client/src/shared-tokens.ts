import { untilAborted } from './deadline.ts';
import type { ClientEvent } from './events.ts';
import { redactError } from './redact.ts';
import type { SharedTokens } from './security.ts';
import type { TokenStore } from './token-store.ts';

/** Milliseconds that a store may take; a token of one's own costs one request. */
const patience = 2000;

/**
 * A token store that never fails and never hangs: what it does wrong is reported, and the client goes on without it.
 * Tokens lie under a hash of what they were obtained with, so that clients with other credentials never meet them.
 */
export function shareTokens(
  store: TokenStore | undefined,
  identity: unknown,
  clock: () => number,
  report: (event: ClientEvent) => void,
): SharedTokens {
  if (store === undefined) return { get: async () => undefined, set: async () => undefined };
  const guarded = async <T>(
    action: 'get' | 'set',
    secret: string,
    run: () => unknown,
  ): Promise<T | undefined> => {
    try {
      const work = (async () => (await run()) as T)();
      return await untilAborted(work, AbortSignal.timeout(patience));
    } catch (error) {
      report({ type: 'token-store-failure', action, cause: redactError(error, [secret]) });
      return undefined;
    }
  };
  const keyOf = async (operation: string): Promise<string> => {
    const text = new TextEncoder().encode(JSON.stringify([identity, operation]));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
    return `countersign:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  };
  return {
    async get(operation) {
      return await guarded('get', '', async () => await store.get(await keyOf(operation)));
    },
    async set(operation, token, expires) {
      await guarded('set', token, async () => {
        await store.set(await keyOf(operation), { token, expires }, expires - clock());
      });
    },
  };
}
