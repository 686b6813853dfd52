/**
 * An expected failure of a command: an invalid command line (`usage`), or another code for a condition that prevents
 * it.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** The machine-readable code. The process exits with 2 for `usage` and with 1 for any other code. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
