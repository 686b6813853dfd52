import { memoize } from '../execution/memoize.ts';
import type { Schema, WithSchemas } from './model.ts';

/**
 * Returns the schemas that calls, notifications and messages have. They refer only to one another. The result is the
 * same object for the same contract.
 */
export function usedSchemas({ schemas }: WithSchemas): WithSchemas {
  return usedOf(schemas);
}

const usedOf = memoize((schemas: readonly Schema[]): WithSchemas => ({
  schemas: schemas.filter(({ isUnused }) => isUnused === undefined),
}));
