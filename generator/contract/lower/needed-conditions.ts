import type { Notification } from '../contract.ts';
import type { Condition, Conditions } from '../../schema/model.ts';
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
  const written = new Set<string>();
  for (const [index, { identifiedBy }] of notifications.entries()) {
    for (let next = index + 1; next < notifications.length; next += 1) {
      for (const a of identifiedBy) {
        for (const b of notifications[next]?.identifiedBy ?? []) {
          for (const { expression } of nearestExclusion(a, b)) written.add(expression);
        }
      }
    }
  }
  const needed = new Set(Array.from(written, canonicalExpression));
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
  for (const [first, one] of a.entries()) {
    if (first >= distance) break;
    for (const [second, other] of b.entries()) {
      if (first + second >= distance) break;
      if (!areExclusiveConditions(one, other)) continue;
      nearest = [one, other];
      distance = first + second;
    }
  }
  return nearest ?? [];
}
