/** The HMAC algorithm, named after its hash function. */
export type SignatureAlgorithm = 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512';

/** How the text of a key encodes its bytes. `utf-8` means that the bytes are the text itself. */
export type KeyEncoding = 'utf-8' | 'base64' | 'hex';

/**
 * How a signature is encoded: Base64 with padding, Base64url without, or hexadecimal. Signers write hexadecimal in
 * lower case; verifiers accept both cases.
 */
export type SignatureEncoding = 'base64' | 'base64url' | 'hex';

/**
 * The format of a timestamp. `unix-seconds` has 10 digits, `unix-milliseconds` has 13. `iso-8601` is a date-time with
 * `Z` or an offset; signers write milliseconds. `iso-8601-seconds` is the same, and signers write no milliseconds.
 * Verifiers accept a fraction of a second in both. A pattern is any other format.
 */
export type TimestampFormat =
  | 'iso-8601'
  | 'iso-8601-seconds'
  | 'unix-seconds'
  | 'unix-milliseconds'
  | TimestampPattern;

/**
 * A format of timestamps in the field symbols of Unicode (UTS #35) that have a fixed width: `yyyy`, `MM`, `MMM` (`Jan`),
 * `dd`, `EEE` (`Sat`), `HH`, `mm`, `ss`, `SSS`, and `xx` or `xxx` for the offset from UTC (`-0300`, `-03:00`). Letters
 * between apostrophes are text. A timestamp is compared field by field, so that no text takes long.
 */
export interface TimestampPattern {
  /** Such as `yyyy-MM-dd'T'HH:mm:ssxxx`. */
  readonly pattern: string;
  /** The offset from UTC of the time that signers write, such as `-03:00`. Default: `+00:00`. */
  readonly offset?: string;
}

/**
 * A part of the request that can be signed. `$request.body` is the raw bytes of the body; `$url.path-base` is the path
 * without that of the base address (`basePath` of the request).
 */
export type SignedExpression =
  | '$method'
  | '$url'
  | '$url.path'
  | '$url.path-base'
  | '$url.path+query'
  | '$url.host+path'
  | '$timestamp'
  | '$request.body'
  | `$request.header.${string}`;

/** A part of the request, or constant text before, between or after such parts. An empty text adds nothing. */
export type SignedPart = SignedExpression | { readonly text: string };

/** What is signed and how the signature is written, whatever its algorithm. */
export interface SignatureForm {
  /** The signed parts, concatenated in this order without a separator. */
  readonly over: readonly SignedPart[];
  /** How the signature is encoded. */
  readonly encoding: SignatureEncoding;
  /** The header that carries the signature. */
  readonly header: string;
  /** The template of the header's value, with the placeholders `{signature}` and `{timestamp}`. */
  readonly value: string;
  /** The separator of the items in the header's value. With it, an item may occur more than once. */
  readonly separator?: string;
  readonly timestamp?: {
    /** The header that carries the timestamp; absent where `value` contains it. */
    readonly header?: string;
    readonly format: TimestampFormat;
    /** The maximum difference in seconds between a timestamp and the verifier's clock, in both directions. */
    readonly tolerance: number;
  };
}

/** How requests are signed, as plain data: the `x-signature` of a contract that leaves no question open. */
export interface SignatureScheme extends SignatureForm {
  readonly algorithm: SignatureAlgorithm;
  readonly key: {
    readonly encoding: KeyEncoding;
    /** Text before the encoded key that is not part of it. A key without it is accepted too. */
    readonly prefix?: string;
  };
}
