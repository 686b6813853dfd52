import type { SignatureScheme } from './scheme.ts';

/** A value or a promise of it. `await` accepts both. */
export type MaybePromise<T> = T | Promise<T>;

/** Bytes to sign; a string contains only ASCII. */
export type Piece = string | Uint8Array;

/** Returns the HMAC of the concatenated pieces, in the scheme's encoding. */
type HmacSigner = (pieces: readonly Piece[]) => MaybePromise<string>;

/**
 * Returns whether one of the texts is the canonical encoding of the HMAC of the pieces. Hexadecimal digits may be upper
 * or lower case. The duration does not depend on the value of the HMAC.
 */
type HmacMatcher = (
  pieces: readonly Piece[],
  signatures: readonly string[],
) => MaybePromise<boolean>;

type HmacScheme = Pick<SignatureScheme, 'algorithm' | 'encoding'>;

/** The interface of the HMAC implementations, `node:crypto` and WebCrypto. Their functions do not expose the key. */
export interface Hmac {
  readonly createHmacSigner: (scheme: HmacScheme, key: Uint8Array) => HmacSigner;
  readonly createHmacMatcher: (scheme: HmacScheme, key: Uint8Array) => HmacMatcher;
}
