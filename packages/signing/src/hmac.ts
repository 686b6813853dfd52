import type { SignatureScheme } from './scheme.ts';

/** A value or a promise of it. `await` accepts both. */
export type MaybePromise<T> = T | Promise<T>;

/** Bytes to sign; a string contains only ASCII. */
export type Piece = string | Uint8Array;

/** An imported key. It does not expose its bytes. */
export interface HmacKey {
  /** Returns the HMAC of the concatenated pieces, in the scheme's encoding. */
  readonly sign: (pieces: readonly Piece[]) => MaybePromise<string>;
  /**
   * Returns whether one of the texts is the canonical encoding of the HMAC of the pieces. Hexadecimal digits may be
   * upper or lower case. The duration does not depend on the value of the HMAC.
   */
  readonly matches: (
    pieces: readonly Piece[],
    signatures: readonly string[],
  ) => MaybePromise<boolean>;
}

/** The interface of the HMAC implementations, `node:crypto` and WebCrypto. */
export interface Hmac {
  readonly importHmacKey: (
    scheme: Pick<SignatureScheme, 'algorithm' | 'encoding'>,
    key: Uint8Array,
  ) => HmacKey;
}
