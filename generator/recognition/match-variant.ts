import { childOf } from '../json/descend.ts';
import { isScalar, type Json } from '../json/json.ts';
import type { Condition, Variant } from '../schema/model.ts';
import { findUndecidable, holds, typeOfScalar, type ValueClass } from '../schema/value-set.ts';
import { bodyPathOf, findConditionRead } from './reads.ts';

/**
 * Returns the wire variant of a body: the first one whose conditions the body meets. Returns `undefined` for the
 * canonical wire format. Conditions are judged by the same function that decides them for generated receivers.
 */
export function matchVariant(variants: readonly Variant[], body: Json): Variant | undefined {
  return variants.find(({ when }) => when.every((condition) => meetsCondition(body, condition)));
}

/** Returns whether a body meets a condition. A condition on any other part of the request is not met. */
export function meetsCondition(body: Json, { expression, schema, optional }: Condition): boolean {
  const path = bodyPathOf(findConditionRead(expression));
  if (path === undefined || findUndecidable(schema) !== undefined) return false;
  const value = path.reduce<Json | undefined>(childOf, body);
  return (optional === true && value === undefined) || holds(schema, classOf(value));
}

/** Returns what conditions can tell of a value. */
export function classOf(value: Json | undefined): ValueClass {
  if (value === undefined) return { type: 'absent' };
  if (isScalar(value)) return { type: typeOfScalar(value), value };
  return { type: Array.isArray(value) ? 'array' : 'object' };
}
