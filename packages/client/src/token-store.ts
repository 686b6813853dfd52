/**
 * Where access tokens are shared among processes: the part of a `Map` and of every Keyv-compatible store that is
 * needed. Values are plain JSON; whoever can read the store can use the tokens.
 */
export interface TokenStore {
  readonly get: (key: string) => unknown;
  /** `lifetime` in milliseconds; a store may drop the value afterwards. */
  readonly set: (key: string, value: StoredToken, lifetime: number) => unknown;
}

/** A token as it is in a store. */
export interface StoredToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** Returns whether a value can be sent as a token: visible ASCII characters, one at least. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

/** Returns whether an entry of a store is a token. Stores are shared, and can hold what other programs have put there. */
export function isStoredToken(value: unknown): value is StoredToken {
  const { token, expires } = (value ?? {}) as Partial<StoredToken>;
  return isToken(token) && Number.isFinite(expires);
}
