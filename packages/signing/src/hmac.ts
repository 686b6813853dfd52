import type { SignatureScheme } from './scheme.ts';

/** A value now, or a promise of it; `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;

/** Bytes to sign; a string is ASCII. */
export type Piece = string | Uint8Array;

/** A key ready for use, which never shows its bytes. */
export interface HmacKey {
  /** The HMAC over the pieces, one after the other, as the scheme writes it. */
  readonly sign: (pieces: readonly Piece[]) => MaybePromise<string>;
  /**
   * Whether one of the texts is the one canonical way to write the HMAC over the pieces. The time this takes does
   * not depend on what the HMAC is.
   */
  readonly matches: (
    pieces: readonly Piece[],
    signatures: readonly string[],
  ) => MaybePromise<boolean>;
}

/** What an implementation of HMAC offers, `node:crypto` or WebCrypto. */
export interface Hmac {
  readonly importHmacKey: (
    scheme: Pick<SignatureScheme, 'algorithm' | 'encoding'>,
    key: Uint8Array,
  ) => HmacKey;
}
