/**
 * Where access tokens are shared among processes: the part of a `Map` and of every Keyv-compatible store that is
 * needed. Values are plain JSON; whoever can read the store can use the tokens.
 */
export interface TokenStore {
  readonly get: (key: string) => unknown;
  /** `lifetime` in milliseconds; a store may drop the value afterwards. */
  readonly set: (key: string, value: StoredToken, lifetime: number) => unknown;
}

/** A token as it lies in a store. */
export interface StoredToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** Whether what a store has answered is a token; stores are shared, and hold what others put there. */
export function isStoredToken(value: unknown): value is StoredToken {
  const { token, expires } = (value ?? {}) as Partial<StoredToken>;
  return typeof token === 'string' && token !== '' && Number.isFinite(expires);
}
