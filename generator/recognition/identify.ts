import type { Condition } from '../schema/model.ts';
import type { SchemaIndex } from '../schema/references.ts';
import { canonicalExpression } from './exclusive-conditions.ts';
import { keepNeededConditions } from './needed-conditions.ts';
import { deriveIdentification } from './required-constants.ts';
import { separateResembling } from './resemblance.ts';
import type { Recognizable } from './recognizable.ts';
import { decisiveConditions, statedMethods } from './value-sets.ts';

/**
 * Derives the conditions of the notifications that declare none, and separates those declared that no valid delivery
 * meets. The method that OpenAPI states distinguishes both.
 */
export function identifyNotifications<T extends Omit<Recognizable, 'name'>>(
  notifications: readonly T[],
  index: SchemaIndex,
): readonly T[] {
  const methods = statedMethods(notifications);
  const decisive = decisiveConditions(
    index,
    notifications.filter((notification) => !isDeclared(notification)),
  );
  const identified = notifications.map((notification): T => {
    const conditions = [
      ...(isDeclared(notification)
        ? []
        : conditionsOf(notification, index, decisive.get(notification) ?? [])),
      ...(methods.get(notification) ?? []),
    ];
    if (!isDeclared(notification))
      return { ...notification, identifiedBy: conditions.length === 0 ? [] : [conditions] };
    const identifiedBy = notification.identifiedBy.map((alternative) => [
      ...alternative,
      ...conditions,
    ]);
    return { ...notification, ...separateResembling({ ...notification, identifiedBy }, index) };
  });
  return keepNeededConditions(identified);
}

function isDeclared({ identifiedByOrigin }: Pick<Recognizable, 'identifiedByOrigin'>): boolean {
  return identifiedByOrigin === 'declared';
}

/** Returns the required constants of a notification, and what else decides between it and others. */
function conditionsOf(
  notification: Omit<Recognizable, 'name'>,
  index: SchemaIndex,
  decisive: readonly Condition[],
): readonly Condition[] {
  const [constants = []] = deriveIdentification(index, notification);
  const expressions = new Set(constants.map(({ expression }) => canonicalExpression(expression)));
  const remainingConditions = decisive.filter(
    ({ expression }) => !expressions.has(canonicalExpression(expression)),
  );
  return [...constants, ...remainingConditions];
}
