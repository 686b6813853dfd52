import type { SignatureAlgorithm } from './scheme.ts';

/** A value now, or a promise of it; `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;

/** Bytes to sign: a string stands for one byte a character. */
export type Piece = string | Uint8Array;

/** A key ready for use, which never shows its bytes. */
export interface HmacKey {
  /** The HMAC over the pieces, one after the other. */
  readonly digest: (pieces: readonly Piece[]) => MaybePromise<Uint8Array>;
}

/** What an implementation of HMAC offers, `node:crypto` or WebCrypto. */
export interface Hmac {
  readonly importHmacKey: (algorithm: SignatureAlgorithm, key: Uint8Array) => HmacKey;
  /** Whether two byte strings of one length are the same, in a time that does not depend on their bytes. */
  readonly equalBytes: (one: Uint8Array, other: Uint8Array) => boolean;
}
