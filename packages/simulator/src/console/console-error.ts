import { SimulatorError, type SimulatorErrorCode } from '../simulator-error.ts';

/** Why the console refused a request. */
export type ConsoleErrorCode =
  | SimulatorErrorCode
  | 'forbidden-host'
  | 'forbidden-origin'
  | 'missing-header'
  | 'not-authenticated'
  | 'unknown-target'
  | 'invalid-input'
  | 'not-found'
  | 'too-large'
  | 'store-failed'
  | 'internal';

/** A refusal of the console, as the JSON of its response. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 500 | 503;
  readonly code: ConsoleErrorCode;
  readonly message: string;
}

/** Carries a refusal from where it is decided to the response. It never leaves this folder. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest' as const;
  readonly refusal: Refusal;

  constructor(status: Refusal['status'], code: ConsoleErrorCode, message: string) {
    super(message);
    this.refusal = { status, code, message };
  }
}

const statuses: Readonly<Partial<Record<SimulatorErrorCode, Refusal['status']>>> = {
  'unknown-name': 404,
  'invalid-payload': 422,
  'no-receiver': 409,
  'not-loopback': 403,
  closed: 503,
};

/** Returns the refusal for an error. Unknown errors are opaque: their text can contain anything. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof RefusedRequest) return error.refusal;
  if (error instanceof SimulatorError)
    return { status: statuses[error.code] ?? 400, code: error.code, message: error.message };
  return { status: 500, code: 'internal', message: 'It failed. See the log.' };
}
