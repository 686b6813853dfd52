/** What about a request keeps it from being signed or verified. */
export type InputProblem =
  /** A header that is signed is not there. */
  | 'missing-header'
  /** A header that is signed, or carries the signature or its timestamp, is there more than once. */
  | 'repeated-header'
  /** A header that is signed holds something other than visible ASCII and spaces, or too much of it. */
  | 'malformed-header'
  /** The method is not in capital letters. */
  | 'malformed-method'
  /** The URL is neither a path beginning with `/` nor an absolute URL, or holds what no request line can. */
  | 'malformed-url'
  /** The timestamp is not written in the scheme's format. */
  | 'malformed-timestamp'
  /** The body is not a `Uint8Array`: something parsed it, and its raw bytes are gone. */
  | 'body-not-bytes'
  /** Another request would have the same signature: nothing tells where one signed part ends and the next begins. */
  | 'ambiguous-framing';

export type SigningErrorCode =
  /** There is no key, or it is empty. */
  | 'missing-key'
  /** A key is not written in the scheme's encoding. */
  | 'malformed-key'
  /** The scheme contradicts itself or says what this package cannot do. */
  | 'invalid-scheme'
  /** The platform lacks what signatures need, such as a Node before 20.12; thrown by the import. */
  | 'unsupported-platform'
  /** An option is out of range, or the clock tells no time. */
  | 'invalid-option'
  | InputProblem;

/** The one error of this package: its message never holds a key, a signature, a header's value or a body. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
  readonly code: SigningErrorCode;

  constructor(code: SigningErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
