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

/**
 * Converts an error of the simulator or of an inbox, whose messages contain no secrets, to that of a command. Returns
 * every other value as it is.
 * @param misuse the codes that mean an invalid command line
 */
export function toCommandError(error: unknown, misuse: readonly string[] = []): unknown {
  if (!(error instanceof Error) || !/^(?:Inbox|Simulator)Error$/u.test(error.name)) return error;
  const code = 'code' in error ? String(error.code) : error.name;
  return new CommandError(misuse.includes(code) ? 'usage' : code, error.message, { cause: error });
}
