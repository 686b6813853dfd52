/** Why a command does not do what it was asked: the command line is wrong (`usage`), or something is in its way. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** A word for machines; `usage` ends the process with 2, any other with 1. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
