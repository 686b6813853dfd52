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
