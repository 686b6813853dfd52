import type { SignatureAlgorithm, SignatureEncoding } from './scheme.ts';

/** A value now, or a promise of it; `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;

/** Bytes to sign: a string stands for one byte a character. */
export type Piece = string | Uint8Array;

/** A key ready for use, which never shows its bytes. */
export interface HmacKey {
  /** The HMAC over the pieces, one after the other, as text. */
  readonly sign: (pieces: readonly Piece[], encoding: SignatureEncoding) => MaybePromise<string>;
  /**
   * Whether one of the digests, which `decodeDigest` made, is the HMAC over the pieces. They have to be as long as
   * it is; the time this takes does not depend on their bytes.
   */
  readonly matches: (
    pieces: readonly Piece[],
    digests: readonly Uint8Array[],
  ) => MaybePromise<boolean>;
}

/** What an implementation of HMAC offers, `node:crypto` or WebCrypto. */
export interface Hmac {
  readonly importHmacKey: (algorithm: SignatureAlgorithm, key: Uint8Array) => HmacKey;
  /** As strict as `decodeBytes`. */
  readonly decodeDigest: (text: string, encoding: SignatureEncoding) => Uint8Array | undefined;
}
