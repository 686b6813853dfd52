import type { Condition, Conditions } from '../schema/model.ts';
import { type SchemaIndex, toReference } from '../schema/references.ts';
import { areDisjoint } from '../schema/value-set.ts';
import { conjunctsAt } from '../schema/conjuncts.ts';
import { bodyPathOf, findConditionRead } from './reads.ts';
import type { Recognizable } from './recognizable.ts';

/**
 * Separates the declared alternatives that no valid delivery meets, because a value has a type there that the schema of
 * the payload excludes. A delivery that meets one of them resembles the notification, and is refused as such. Where all
 * alternatives are of this sort, none is separated, so that the notification stays identified by something.
 */
export function separateResembling(
  { identifiedBy, payload }: Pick<Recognizable, 'identifiedBy' | 'payload'>,
  index: SchemaIndex,
): Pick<Recognizable, 'identifiedBy' | 'resembledBy'> {
  const isMet = (conditions: Conditions): boolean =>
    !conditions.some((condition) => isExcluded(condition, payload, index));
  const met = identifiedBy.filter(isMet);
  if (met.length === identifiedBy.length || met.length === 0) return { identifiedBy };
  return {
    identifiedBy: met,
    resembledBy: identifiedBy.filter((conditions) => !met.includes(conditions)),
  };
}

/**
 * Returns the alternatives by which a value of no kind resembles a notification: those that no valid delivery meets, and
 * those that only settled answers of the ledger narrow, without the conditions of the answers.
 */
export function resemblancesOf({
  identifiedBy,
  resembledBy = [],
}: Pick<Recognizable, 'identifiedBy' | 'resembledBy'>): readonly Conditions[] {
  const narrowed = identifiedBy.filter((conditions) =>
    conditions.some(({ settledBy }) => settledBy !== undefined),
  );
  return [...resembledBy, ...narrowed]
    .map((conditions) => conditions.filter(({ settledBy }) => settledBy === undefined))
    .filter((conditions) => conditions.length > 0);
}

/** Returns whether the payload's schema excludes each value that satisfies a condition, by the type of the value. */
function isExcluded(
  { expression, schema }: Condition,
  payload: string,
  index: SchemaIndex,
): boolean {
  const path = bodyPathOf(findConditionRead(expression));
  if (path === undefined || schema === false) return false;
  const parts = conjunctsAt([toReference(payload)], path, index);
  return parts.some(
    ({ types }) => types !== undefined && areDisjoint(schema, { type: [...types] }),
  );
}
