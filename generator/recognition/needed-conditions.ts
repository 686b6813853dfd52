import type { Condition, Conditions } from '../schema/model.ts';
import { areExclusiveConditions, canonicalExpression } from './exclusive-conditions.ts';
import type { Recognizable } from './recognizable.ts';

type Identified = Pick<Recognizable, 'identifiedBy' | 'identifiedByOrigin'>;

/**
 * Reduces the derived conditions to those about expressions that distinguish two notifications. A notification without
 * such a condition keeps all of its conditions.
 *
 * The schema's other constants are left to validation. A body that breaks them is then an invalid body of its kind, and
 * not an unknown one. Notifications that excluded each other before still do. Declared conditions do not change.
 */
export function keepNeededConditions<T extends Identified>(
  notifications: readonly T[],
): readonly T[] {
  const distinguishing = new Set<string>();
  for (const [index, { identifiedBy }] of notifications.entries()) {
    for (let next = index + 1; next < notifications.length; next += 1) {
      for (const a of identifiedBy) {
        for (const b of notifications[next]?.identifiedBy ?? []) {
          for (const { expression } of nearestExclusion(a, b)) distinguishing.add(expression);
        }
      }
    }
  }
  const needed = new Set(Array.from(distinguishing, canonicalExpression));
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

function asPresent({ expression, schema }: Condition): Condition {
  return { expression, schema };
}

/**
 * Returns two conditions that cannot both hold, the pair nearest to the start of both lists; an empty list without one.
 */
function nearestExclusion(a: Conditions, b: Conditions): readonly Condition[] {
  let nearest: readonly [Condition, Condition] | undefined;
  let distance = Infinity;
  for (const [first, conditionA] of a.entries()) {
    if (first >= distance) break;
    for (const [second, conditionB] of b.entries()) {
      if (first + second >= distance) break;
      // What decides wherever it is present is needed, although a delivery without it can be both.
      if (!areExclusiveConditions(asPresent(conditionA), asPresent(conditionB))) continue;
      nearest = [conditionA, conditionB];
      distance = first + second;
    }
  }
  return nearest ?? [];
}
