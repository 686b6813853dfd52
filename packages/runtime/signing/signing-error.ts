/** Why a request cannot be signed or verified. */
export type InputProblem =
  /** A signed header is missing or empty. */
  | 'missing-header'
  /** A signed header, or the header of the signature or timestamp, occurs more than once. */
  | 'repeated-header'
  /** A signed header is longer than 8,192 characters, or is not visible ASCII with spaces only in between. */
  | 'malformed-header'
  /** The method is not 1 to 32 capital letters. */
  | 'malformed-method'
  /**
   * The URL is neither a path that starts with `/` nor an absolute URL, or has characters that a request line cannot
   * have.
   */
  | 'malformed-url'
  /** The timestamp is not in the scheme's format. */
  | 'malformed-timestamp'
  /** The body is not a `Uint8Array`, for example because a body parser replaced the raw bytes. */
  | 'body-not-bytes'
  /** Another request would have the same signature, because the end of a signed part cannot be determined. */
  | 'ambiguous-framing';

/** Why a signer or verifier cannot be created, or why a request cannot be signed. */
export type SigningErrorCode =
  /** The key is missing or empty. */
  | 'missing-key'
  /** A key is not in the scheme's encoding, or is none of the scheme's algorithm. */
  | 'malformed-key'
  /** The scheme requires the id of the key, and a private key has none. */
  | 'missing-key-id'
  /** The keys at an address cannot be fetched, and none that were fetched before may be used. */
  | 'keys-unavailable'
  /** The scheme contradicts itself, is incomplete, or requires something that this package does not support. */
  | 'invalid-scheme'
  /** WebCrypto of the platform lacks the algorithm of a key pair. */
  | 'unsupported-platform'
  /** An option is out of range, or the clock returns no time between 2001 and 2286. */
  | 'invalid-option'
  | InputProblem;

/** The only error class of this package. Its message contains no key, signature, header value or body. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
  readonly code: SigningErrorCode;
  /**
   * The path of the scheme's member that is missing or malformed, for example `timestamp.format`; the signed parts that
   * nothing separates; or the option that is out of range.
   */
  readonly member: string | undefined;

  constructor(code: SigningErrorCode, message: string, member?: string) {
    super(message);
    this.code = code;
    this.member = member;
  }
}
