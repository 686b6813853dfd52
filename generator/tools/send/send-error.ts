/** The reason for which nothing was sent, or no response was received. */
export type SendErrorCode =
  /** The host has an address that is not a loopback address. */
  | 'not-loopback'
  /** The host has no address. */
  | 'unknown-host'
  /** The connection failed or was interrupted. */
  | 'unreachable'
  /** The response did not arrive in time. */
  | 'timeout'
  /** The environment variable of a secret is not set. */
  | 'missing-secret'
  /** A signed header is missing, or the request cannot be signed. */
  | 'not-signable';

/** An error of `countersign send`. Its message contains no secret. */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly code: SendErrorCode;

  constructor(code: SendErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
