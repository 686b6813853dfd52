/** What went wrong; stable between releases. */
export type SimulatorErrorCode =
  | 'invalid-option'
  | 'unknown-name'
  | 'invalid-payload'
  | 'no-receiver'
  | 'not-loopback'
  | 'unknown-host'
  | 'not-signable'
  | 'unsupported-workflow'
  | 'journal'
  | 'model-version'
  | 'port-in-use'
  | 'closed';

/** The error of every misuse of a simulator. Its message contains no credential and no payload. */
export class SimulatorError extends Error {
  override readonly name = 'SimulatorError' as const;
  readonly code: SimulatorErrorCode;

  constructor(code: SimulatorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
