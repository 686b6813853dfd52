/** What went wrong; stable between releases. */
export type InboxErrorCode =
  | 'invalid-option'
  | 'unsupported-platform'
  | 'unsafe-durability'
  | 'store-failed'
  | 'connection-lost'
  | 'backlog-full'
  | 'schema-version'
  | 'promise-in-transaction'
  | 'encryption-failed'
  | 'decryption-failed'
  | 'transaction-failed'
  | 'unreadable-event'
  | 'interrupted'
  | 'postponed'
  | 'dead-letter'
  | 'without-effect'
  | 'closed';

/** The error of an inbox and its stores. Its message contains no payload and no credential. It is the reason that a handler gives with `retryAt` and `deadLetter`. */
export class InboxError extends Error {
  override readonly name = 'InboxError' as const;
  readonly code: InboxErrorCode;

  constructor(code: InboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Returns whether an error is that of an inbox or a store, also of another copy of the runtime: an application can have
 * a store from one package and a worker from another.
 */
export function isInboxError(error: unknown): error is InboxError {
  return (
    error instanceof Error &&
    error.name === 'InboxError' &&
    Object.hasOwn(error, 'name') &&
    Object.hasOwn(error, 'code')
  );
}
