import type { Operation, OperationData } from './operation.ts';

/**
 * Returns an operation with validators of its bodies. A call is marked as pure in generated code; a spread would not be
 * removed by bundlers, because it could call getters.
 */
export function withChecks<In, Out>(
  operation: Operation<In, Out>,
  checks: NonNullable<OperationData['checks']>,
): Operation<In, Out> {
  return { ...operation, checks };
}
