import { faultOfSecret } from '../base/secret-fault.ts';

/**
 * A store that shares access tokens among processes. It is the part of a `Map`, and of every Keyv-compatible store,
 * that the client needs. Values are plain JSON. Anyone who can read the store can use the tokens.
 */
export interface TokenStore {
  /** Returns the stored value, or a promise of it. `undefined` and `null` mean that there is none. */
  readonly get: (key: string) => unknown;
  /** Stores a value. The store may drop it after `lifetimeMs` milliseconds. */
  readonly set: (key: string, value: StoredToken, lifetimeMs: number) => unknown;
}

/** A stored access token. */
export interface StoredToken {
  readonly token: string;
  /** When the client stops using it, in milliseconds since 1970. */
  readonly expires: number;
  /** When a client requested it, in milliseconds since 1970. It differs if the service issues the same token again. */
  readonly issued?: number;
}

/** Returns whether a value can be sent as a token: visible ASCII characters that do not stand for nothing. */
export function isToken(value: unknown): value is string {
  return faultOfSecret(value) === undefined && /^[\x21-\x7e]+$/.test(value as string);
}

/** Returns whether an entry of a store is a token. Other programs may write to a shared store. */
export function isStoredToken(value: unknown): value is StoredToken {
  const { token, expires, issued = 0 } = (value ?? {}) as Partial<StoredToken>;
  return isToken(token) && Number.isFinite(expires) && Number.isFinite(issued);
}
