/** Why a receiver cannot be made, or a body cannot be read. */
export type WebhookErrorCode =
  /** An option is missing or out of range. */
  | 'invalid-option'
  /** The platform lacks what receivers need, such as a Node before 20.12; thrown by the import. */
  | 'unsupported-platform'
  /** A secret is missing or empty. */
  | 'missing-secret'
  /** Something read the body before the receiver. */
  | 'body-consumed'
  /** The body has more bytes than are allowed. */
  | 'too-large'
  /** A function was called with something that is no HTTP request. */
  | 'unknown-event'
  /** A replay store answered a claim with none of its three words. */
  | 'unknown-claim';

/** The one error of this package. It holds no secret and nothing of a delivery. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError' as const;
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error for a body that is gone: names the cause and the fix. */
export function bodyConsumed(fix: string): WebhookError {
  return new WebhookError(
    'body-consumed',
    `The body was read before the receiver got it: nothing can be authenticated. ${fix}`,
  );
}

/** Creates the error for an option that is missing or out of range. */
export function invalid(fault: string): WebhookError {
  return new WebhookError('invalid-option', `The receiver cannot be made: ${fault}.`);
}
