import type { Cursor } from '../json/cursor.ts';
import { hasAny, type Place } from '../specification/walk.ts';
import { conditionsKey, isConditionName } from './identification.ts';

/** An expression, and the JSON Schema that its value must match. */
export interface WrittenCondition {
  readonly expression: string;
  readonly schema: Cursor;
  readonly of: 'x-identified-by' | 'x-conditions' | 'x-variants';
}

/** Returns the conditions of `x-identified-by`, `x-conditions` and `x-variants` on an object. */
export function conditionsAt(place: Place): readonly WrittenCondition[] {
  // Most objects of a contract have none of these keys.
  if (!hasAny(place.value, conditional)) return [];
  const alternatives = place.child('x-identified-by').listed();
  const forms = place.entries('x-variants').map(([, form]) => form.child('when'));
  const named = place.entries(conditionsKey).flatMap(([, condition]) => condition.items());
  return [
    ...alternatives.flatMap((map) => toConditions(map, 'x-identified-by')),
    ...named.flatMap((map) => toConditions(map, conditionsKey)),
    ...forms.flatMap((map) => toConditions(map, 'x-variants')),
  ];
}

const conditional = ['x-identified-by', conditionsKey, 'x-variants'] as const;

function toConditions(map: Cursor, of: WrittenCondition['of']): readonly WrittenCondition[] {
  return map
    .entries()
    .filter(([expression]) => !isConditionName(expression))
    .map(([expression, schema]) => ({ expression, schema, of }));
}
