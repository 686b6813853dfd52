import type { Condition, Conditions, Notification } from './contract.ts';
import { areExclusiveConditions, canonicalExpression } from './distinguish.ts';

type Identified = Pick<Notification, 'identifiedBy' | 'identifiedByOrigin'>;

/**
 * Of the conditions that were derived, those about what tells any notifications apart; all of them where none does.
 * What else a schema says of every delivery is for validation: a body that breaks it is a broken one of its kind, and
 * no unknown. Whatever excluded each other before does so afterwards; declared conditions stay as they are.
 */
export function keepNeededConditions<T extends Identified>(
  notifications: readonly T[],
): readonly T[] {
  const needed = new Set<string>();
  notifications.forEach((notification, index) => {
    for (const other of notifications.slice(index + 1)) {
      for (const a of notification.identifiedBy) {
        for (const b of other.identifiedBy) {
          for (const { expression } of nearestExclusion(a, b))
            needed.add(canonicalExpression(expression));
        }
      }
    }
  });
  return notifications.map((notification) => {
    if (notification.identifiedByOrigin === 'declared') return notification;
    const identifiedBy = notification.identifiedBy.map((conditions) => {
      const kept = conditions.filter(({ expression }) =>
        needed.has(canonicalExpression(expression)),
      );
      return kept.length === 0 ? conditions : kept;
    });
    return { ...notification, identifiedBy };
  });
}

/** The first two conditions, of those nearest the top on both sides, that cannot both hold. */
function nearestExclusion(a: Conditions, b: Conditions): readonly Condition[] {
  let nearest: readonly [Condition, Condition] | undefined;
  let distance = Infinity;
  a.forEach((one, first) => {
    b.forEach((other, second) => {
      if (first + second >= distance || !areExclusiveConditions(one, other)) return;
      nearest = [one, other];
      distance = first + second;
    });
  });
  return nearest ?? [];
}
