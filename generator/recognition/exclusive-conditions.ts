import { memoize } from '../execution/memoize.ts';
import type { Condition } from '../schema/model.ts';
import { areDisjoint } from '../schema/value-set.ts';
import { bodyPathOf, containersOf, findConditionRead, isAbove } from './reads.ts';

/** Returns whether it is provable that no delivery satisfies both conditions. */
export function areExclusiveConditions(a: Condition, b: Condition): boolean {
  if (canonicalExpression(a.expression) === canonicalExpression(b.expression)) {
    if (a.optional === true && b.optional === true) return false;
    if (a.schema === false || b.schema === false)
      return a.schema !== b.schema && a.optional !== true && b.optional !== true;
    return areDisjoint(a.schema, b.schema);
  }
  return deniesAncestorOf(a, b) || deniesAncestorOf(b, a);
}

/**
 * Returns whether the outer condition excludes the member that the inner one requires. A present member needs every
 * container on its path, so an absent container or a scalar excludes it.
 */
function deniesAncestorOf(outer: Condition, inner: Condition): boolean {
  if (inner.schema === false || inner.optional === true) return false;
  const [above, below] = [pathOf(outer), pathOf(inner)];
  if (above === undefined || below === undefined || !isAbove(above, below)) return false;
  if (outer.schema === false) return true;
  return areDisjoint(outer.schema, { type: containersOf(below[above.length]) });
}

/**
 * Returns the same text for all expressions with the same meaning: header names are case-insensitive, and a trailing
 * `#` is removed.
 */
export function canonicalExpression(expression: string): string {
  if (/\$(?:request|response)\.header\./y.test(expression)) return expression.toLowerCase();
  return expression.endsWith('#') ? expression.slice(0, -1) : expression;
}

/** Returns the path of a condition on the body. Cached, because each condition is compared with many others. */
const pathOf = memoize(({ expression }: Condition) => bodyPathOf(findConditionRead(expression)));
