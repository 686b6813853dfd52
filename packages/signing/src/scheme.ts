/** The HMAC, by its hash function. */
export type SignatureAlgorithm = 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512';

/** How the text of a key becomes the bytes of a key. */
export type KeyEncoding = 'utf-8' | 'base64' | 'hex';

/** How a digest is written: Base64 is padded, Base64url is not, hexadecimal digits are read in either case. */
export type SignatureEncoding = 'base64' | 'base64url' | 'hex';

/** `unix-seconds` has ten digits and `unix-milliseconds` thirteen; `iso-8601` is a date-time with `Z` or an offset. */
export type TimestampFormat = 'iso-8601' | 'unix-seconds' | 'unix-milliseconds';

/** A part of the request that can be signed; `$request.body` is its raw bytes. */
export type SignedExpression =
  | '$method'
  | '$url'
  | '$url.path'
  | '$url.path+query'
  | '$timestamp'
  | '$request.body'
  | `$request.header.${string}`;

/** Something the request holds, or constant text between two such parts. */
export type SignedPart = SignedExpression | { readonly text: string };

/** How requests are signed, as plain data: what a contract's `x-signature` says once nothing in it is left open. */
export interface SignatureScheme {
  readonly algorithm: SignatureAlgorithm;
  readonly key: {
    readonly encoding: KeyEncoding;
    /** Text before the encoded key that is not part of it; a key without it is accepted as well. */
    readonly prefix?: string;
  };
  /** What is signed, concatenated in this order with nothing between. */
  readonly over: readonly SignedPart[];
  readonly encoding: SignatureEncoding;
  /** The header that carries the signature. */
  readonly header: string;
  /** How the header's value is written: `{signature}` and `{timestamp}` stand for the two. */
  readonly value: string;
  /** What stands between the items of the header's value; an item may then occur more than once. */
  readonly separator?: string;
  readonly timestamp?: {
    /** The header that carries it, where it is not part of `value`. */
    readonly header?: string;
    readonly format: TimestampFormat;
    /** Seconds by which a timestamp may differ from the verifier's clock, both ways. */
    readonly tolerance: number;
  };
}
