import type { Refusal } from '@countersign/console/frame';
import { SimulatorError, type SimulatorErrorCode } from '../sending/simulator-error.ts';

const statuses: Readonly<Partial<Record<SimulatorErrorCode, Refusal['status']>>> = {
  'unknown-name': 404,
  'invalid-payload': 422,
  'no-receiver': 409,
  'not-loopback': 403,
  closed: 503,
};

/** Returns the refusal for an error of the simulator, and `undefined` for any other. */
export function toRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof SimulatorError)) return undefined;
  return { status: statuses[error.code] ?? 400, code: error.code, message: error.message };
}
