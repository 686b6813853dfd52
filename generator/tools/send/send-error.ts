/** Why nothing was sent, or no answer came. */
export type SendErrorCode =
  /** The host is not this machine, or not only. */
  | 'not-loopback'
  /** The host has no address. */
  | 'unknown-host'
  /** There is no connection, or it broke. */
  | 'unreachable'
  /** No answer came in time. */
  | 'timeout'
  /** A secret's variable is not set. */
  | 'missing-secret'
  /** A header that is signed was not given, or the request cannot be signed. */
  | 'not-signable';

/** The one error of sending; it holds no secret. */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly code: SendErrorCode;

  constructor(code: SendErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
