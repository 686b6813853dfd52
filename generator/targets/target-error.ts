import type { Pointer } from '../json/pointer.ts';

/** The error of a target, with the place of the contract that it was working on. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly pointer: Pointer;

  constructor(message: string, pointer: Pointer, options?: ErrorOptions) {
    super(message, options);
    this.pointer = pointer;
  }
}

/** Returns an error with a place. An error that has one keeps it. */
export function toTargetError(error: unknown, pointer: Pointer): TargetError {
  if (error instanceof TargetError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new TargetError(message, pointer, { cause: error });
}
