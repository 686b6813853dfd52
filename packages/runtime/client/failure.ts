import { ClientError } from './client-error.ts';
import type { OperationData } from './operation.ts';

/**
 * Returns whether an error is a failure that the contract declares for an operation, with a body as declared. The guards
 * in generated code call it.
 */
export function isFailureOf({ id, responses = {} }: OperationData, error: unknown): boolean {
  return (
    error instanceof ClientError &&
    error.code === 'failure-status' &&
    error.operation === id &&
    error.declaredStatus !== undefined &&
    Object.hasOwn(responses, error.declaredStatus)
  );
}
