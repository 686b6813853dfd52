/** Why a console cannot start. */
export type ConsoleErrorCode = 'port-in-use' | 'invalid-option';

/** A console that cannot start. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError' as const;
  readonly code: ConsoleErrorCode;

  constructor(code: ConsoleErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
