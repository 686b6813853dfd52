import { startDeadline, untilAborted } from './deadline.ts';
import type { ClientEvent } from './events.ts';
import { encodeIdentity, hashText } from './identity.ts';
import type { Input, OperationData } from './operation.ts';
import { redactError } from './redact.ts';
import type { SharedTokens } from './security.ts';
import { isStoredToken, type TokenStore } from './token-store.ts';

/** Maximum milliseconds for a call of the store. Requesting a new token costs only one request. */
const storeTimeoutMs = 2000;

/** The store of a connection, and what its entries depend on. */
export interface SharedTokenOptions {
  readonly store: TokenStore | undefined;
  /** The name of the account that the user gave, for credentials that the client cannot know. */
  readonly accountName: string | undefined;
  /** Returns what identifies the account that an operation is called with: plain data, unless it is unknown. */
  readonly identify: (operation: OperationData, input?: Input) => unknown;
  readonly clock: () => number;
  readonly report: (event: ClientEvent) => void;
}

/**
 * Wraps a token store so that it never fails and always ends. Failures are reported, and the client continues without
 * the store. The key is a hash of everything that the token depends on: the address of its operation, and all
 * credentials that the operation is called with. Where a part of that is unknown, the tokens are shared only under the
 * name that the user gave to the account.
 */
export function shareTokens(options: SharedTokenOptions): SharedTokens {
  const { store, accountName, identify, clock, report } = options;
  if (store === undefined) return { entry: async () => undefined };
  const guarded = async <T>(
    action: 'get' | 'set',
    secret: string,
    run: () => Promise<T>,
  ): Promise<T | undefined> => {
    const deadline = startDeadline(storeTimeoutMs, undefined);
    try {
      return await untilAborted(run(), deadline.signal);
    } catch (error) {
      report({ type: 'token-store-failure', action, cause: redactError(error, [secret]) });
      return undefined;
    } finally {
      deadline.end();
    }
  };
  return {
    async entry(operation, kind, input) {
      const account = encodeIdentity(identify(operation, input));
      if (!account.isKnown && accountName === undefined) {
        report({ type: 'token-store-skipped' });
        return undefined;
      }
      // The first item is the format of the key. Other formats never share an entry with this one.
      const { text } = encodeIdentity(['account 1', accountName, kind, account.text]);
      const key = `countersign:${await hashText(text)}`;
      return {
        get: async () =>
          await guarded('get', '', async () => {
            const entry: unknown = await store.get(key);
            if (entry === undefined || entry === null) return undefined;
            const isValid = isStoredToken(entry);
            if (isValid && clock() < entry.expires) return entry;
            report({ type: 'token-store-entry-ignored', reason: isValid ? 'expired' : 'invalid' });
            return undefined;
          }),
        async set(entry) {
          await guarded('set', entry.token, async () => {
            await store.set(key, entry, entry.expires - clock());
          });
        },
      };
    },
  };
}
