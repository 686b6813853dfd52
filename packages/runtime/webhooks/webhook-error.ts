import type { InvalidDelivery } from './event.ts';

/** Why a receiver cannot be created, or a request cannot be processed. */
export type WebhookErrorCode =
  /** An option is missing or out of range. */
  | 'invalid-option'
  /** A secret is missing or empty. */
  | 'missing-secret'
  /** Other code read the body before the receiver. */
  | 'body-consumed'
  /** The body is larger than `maxBodyBytes`. */
  | 'too-large'
  /** A Lambda function was called with an event that is not an HTTP request. */
  | 'unknown-event'
  /** A replay store returned neither `claimed`, `seen` nor `busy` for a claim. */
  | 'unknown-claim'
  /** An inbox returned neither `stored` nor `duplicate` for a delivery. */
  | 'unknown-status'
  /** A worker's `onInvalid` took no responsibility for a delivery that violates the contract. */
  | 'invalid-delivery'
  /** The contract of a worker finds another number of events in a delivery than the contract of its receiver. */
  | 'changed-events'
  /** The handler is a stub that nobody has written yet. Only stubs throw it. */
  | 'not-written';

/** How a delivery violates the contract. It contains no value of the delivery. */
export type Rejection = Pick<InvalidDelivery, 'reason' | 'kinds' | 'violations'>;

/** Marks the errors of every copy of this package in a process. */
const mark: unique symbol = Symbol.for('@countersign/runtime/webhooks/WebhookError');

/** The only error class of this package. Its message contains no secret and no data of a delivery. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError' as const;
  readonly code: WebhookErrorCode;
  /**
   * With the code `invalid-delivery`: the reason, the possible kinds and the violations, which an inbox stores. It is not
   * enumerable, because the pointers of violations have names that a sender can choose.
   */
  declare readonly rejection: Rejection | undefined;

  constructor(
    code: WebhookErrorCode,
    message: string,
    options: ErrorOptions & { readonly rejection?: Rejection | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, 'rejection', { value: options.rejection });
  }

  static {
    Object.defineProperty(this.prototype, mark, { value: true });
  }
}

/**
 * Returns whether an error is a `WebhookError` of this copy of the package, or of another one. A bundler can give an
 * adapter and the receiver behind it a copy each, and so can an installation with two versions.
 */
export function isWebhookError(error: unknown): error is WebhookError {
  return error instanceof Error && mark in error;
}

/** Creates the error for a body that was read before, with the cause and the fix. */
export function bodyConsumed(fix: string): WebhookError {
  return new WebhookError(
    'body-consumed',
    `Other code read the body before the receiver, so the delivery cannot be authenticated. ${fix}`,
  );
}

/** Creates the error for a body with more bytes than allowed. */
export function tooLarge(): WebhookError {
  return new WebhookError('too-large', 'The body is larger than `maxBodyBytes`.');
}

/** Creates the error for an option that is missing or out of range. */
export function invalid(fault: string): WebhookError {
  return new WebhookError('invalid-option', `The receiver cannot be created: ${fault}.`);
}

/** Creates the error for an option without a value, which often comes from the environment. */
export function missing(option: string): WebhookError {
  return invalid(`${option} is missing or empty; check that its environment variable is set`);
}
