import { untilAborted } from './deadline.ts';
import type { ClientEvent } from './events.ts';
import { redactError } from './redact.ts';
import type { SharedTokens } from './security.ts';
import { isStoredToken, type StoredToken, type TokenStore } from './token-store.ts';

/** Maximum milliseconds for a call of the store. Requesting a new token costs only one request. */
const storeTimeoutMs = 2000;

/**
 * Wraps a token store so that it never fails and always ends. Failures are reported, and the client continues without
 * the store. The key is a hash of the base address, the credentials and the operation, so that clients with other
 * credentials never share a token.
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
    run: () => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await untilAborted(run(), AbortSignal.timeout(storeTimeoutMs));
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
      return await guarded('get', '', async () => {
        const entry: unknown = await store.get(await keyOf(operation));
        if (entry === undefined || entry === null) return undefined;
        const isValid = isStoredToken(entry);
        if (isValid && clock() < entry.expires) return entry;
        report({ type: 'token-store-entry-ignored', reason: isValid ? 'expired' : 'invalid' });
        return undefined;
      });
    },
    async set(operation, { token, expires }) {
      await guarded('set', token, async () => {
        const entry: StoredToken = { token, expires };
        await store.set(await keyOf(operation), entry, expires - clock());
      });
    },
  };
}
