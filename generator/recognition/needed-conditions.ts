import { memoize } from '../execution/memoize.ts';
import { isScalar, type Scalar } from '../json/json.ts';
import type { Condition, Conditions, JsonSchema } from '../schema/model.ts';
import { SchemaNode } from '../schema/node.ts';
import { areExclusiveConditions, canonicalExpression } from './exclusive-conditions.ts';
import { bodyPathOf, findConditionRead, outerPositions } from './reads.ts';
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
  if (notifications.every(({ identifiedByOrigin }) => identifiedByOrigin === 'declared'))
    return notifications;
  const needed = new ExclusionSearch(
    notifications.flatMap(({ identifiedBy }, owner) =>
      identifiedBy.map((conditions) => ({ owner, conditions })),
    ),
  ).find();
  if (needed === undefined) return notifications;
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

/** One way in which a delivery can match a notification, and the position of the notification. */
interface Alternative {
  readonly owner: number;
  readonly conditions: Conditions;
}

/** The most comparisons of two conditions, which take some seconds. With more, all conditions are kept. */
const maxComparisons = 200_000;

/**
 * Finds the expressions by which two notifications exclude each other, in the nearest of their conditions that do. It
 * divides alternatives by their first conditions: different constants of one expression exclude each other, so that
 * their alternatives are not compared. Alternatives that begin with different expressions or with conditions that
 * overlap are compared in pairs, as long as they could add an expression.
 */
class ExclusionSearch {
  readonly #alternatives: readonly Alternative[];
  readonly #contested: ReadonlySet<string>;
  readonly #found = new Set<string>();
  #comparisons = 0;

  constructor(alternatives: readonly Alternative[]) {
    this.#alternatives = alternatives;
    this.#contested = contestedExpressions(alternatives);
  }

  /** Returns the canonical expressions; `undefined` if there are too many comparisons. */
  find(): ReadonlySet<string> | undefined {
    const regular = this.#alternatives.filter(({ conditions }) => areIndependent(conditions));
    const undivided = this.#divide(regular);
    if (regular.length < this.#alternatives.length) undivided.push(this.#alternatives);
    for (const alternatives of undivided) this.#compareAll(alternatives);
    return this.#comparisons > maxComparisons ? undefined : this.#found;
  }

  /** Notes the expressions whose constants divide alternatives, and returns those that have to be compared. */
  #divide(all: readonly Alternative[]): (readonly Alternative[])[] {
    const undivided: (readonly Alternative[])[] = [];
    // Groups of alternatives that have the same conditions before a position.
    const open: (readonly [readonly Alternative[], number])[] = [[all, 0]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [alternatives, position] = next;
      if (!haveSeveralOwners(alternatives)) continue;
      const longer = alternatives.filter(({ conditions }) => conditions.length > position);
      const byExpression = Map.groupBy(longer, ({ conditions }) =>
        canonicalExpression(conditions[position]?.expression ?? ''),
      );
      if (byExpression.size > 1) undivided.push(longer);
      for (const [expression, group] of byExpression) {
        const bySchema = Map.groupBy(group, ({ conditions }) =>
          JSON.stringify(conditions[position]?.schema),
        );
        const divided = dividedBy([...bySchema.values()], position);
        if (divided.length > 1 && haveSeveralOwners(divided.flat())) this.#found.add(expression);
        if (divided.length < bySchema.size && bySchema.size > 1) undivided.push(group);
        for (const members of bySchema.values()) open.push([members, position + 1]);
      }
    }
    return undivided;
  }

  #compareAll(alternatives: readonly Alternative[]): void {
    const compared = new Set<Alternative>();
    for (const alternative of alternatives) {
      if (!this.#canAdd(alternative)) continue;
      compared.add(alternative);
      for (const other of alternatives) {
        if (other.owner === alternative.owner || compared.has(other)) continue;
        if (this.#comparisons > maxComparisons) return;
        const [a, b] =
          alternative.owner < other.owner ? [alternative, other] : [other, alternative];
        const before = this.#found.size;
        for (const { expression } of this.#nearestExclusion(a.conditions, b.conditions))
          this.#found.add(canonicalExpression(expression));
        if (this.#found.size > before && !this.#canAdd(alternative)) {
          compared.delete(alternative);
          break;
        }
      }
    }
  }

  /**
   * Returns two conditions that cannot both hold, the pair nearest to the start of both lists; an empty list without one.
   */
  #nearestExclusion(a: Conditions, b: Conditions): readonly Condition[] {
    let nearest: readonly [Condition, Condition] | undefined;
    let distance = Infinity;
    for (const [first, conditionA] of a.entries()) {
      if (first >= distance) break;
      for (const [second, conditionB] of b.entries()) {
        if (first + second >= distance) break;
        this.#comparisons += 1;
        // What decides wherever it is present is needed, although a delivery without it can be both.
        if (!areExclusiveConditions(asPresent(conditionA), asPresent(conditionB))) continue;
        nearest = [conditionA, conditionB];
        distance = first + second;
      }
    }
    return nearest ?? [];
  }

  /** Returns whether an alternative has a condition that could exclude another one, and whose expression is not found. */
  #canAdd({ conditions }: Alternative): boolean {
    return conditions.some(({ expression }) => {
      const canonical = canonicalExpression(expression);
      return this.#contested.has(canonical) && !this.#found.has(canonical);
    });
  }
}

/** Returns the classes whose condition lists values that no other class lists, so that they exclude one another. */
function dividedBy(
  classes: readonly (readonly Alternative[])[],
  position: number,
): readonly (readonly Alternative[])[] {
  const listed = classes.map(([first]) => valuesOf(first?.conditions[position]?.schema ?? true));
  const uses = new Map<Scalar, number>();
  for (const value of listed.flatMap((values) => values ?? []))
    uses.set(value, (uses.get(value) ?? 0) + 1);
  return classes.filter(
    (_, index) => listed[index]?.every((value) => uses.get(value) === 1) === true,
  );
}

/** Returns the different scalars that a schema lists, if it states nothing else. */
function valuesOf(schema: JsonSchema): readonly Scalar[] | undefined {
  const { keywords, values } = new SchemaNode(schema);
  return Object.keys(keywords).length === 1 && values?.every(isScalar) === true
    ? [...new Set(values)]
    : undefined;
}

/** Returns the expressions with different conditions, and those of a container and of what is in it. */
function contestedExpressions(alternatives: readonly Alternative[]): ReadonlySet<string> {
  const schemas = new Map<string, string>();
  const contested = new Set<string>();
  for (const { conditions } of alternatives) {
    const isRegular = areIndependent(conditions);
    for (const { expression, schema } of conditions) {
      const canonical = canonicalExpression(expression);
      const text = JSON.stringify(schema);
      if (!isRegular || (schemas.get(canonical) ?? text) !== text) contested.add(canonical);
      schemas.set(canonical, text);
    }
  }
  for (const expression of nestedExpressions([...schemas.keys()])) contested.add(expression);
  return contested;
}

/** Returns whether no condition excludes itself or another one of them. */
const areIndependent = memoize((conditions: Conditions): boolean => {
  const expressions = conditions.map(({ expression }) => canonicalExpression(expression));
  return (
    new Set(expressions).size === conditions.length &&
    nestedExpressions(expressions).size === 0 &&
    !conditions.map(asPresent).some((condition) => areExclusiveConditions(condition, condition))
  );
});

/** Returns the expressions whose value contains that of another one, or is in it. */
function nestedExpressions(expressions: readonly string[]): ReadonlySet<string> {
  const outer = outerPositions(
    expressions.map((expression) => bodyPathOf(findConditionRead(expression))),
  );
  const nested = outer.flatMap((positions, inner) =>
    positions.length === 0 ? [] : [...positions, inner],
  );
  return new Set(nested.map((position) => expressions[position] ?? ''));
}

function haveSeveralOwners(alternatives: readonly Alternative[]): boolean {
  return alternatives.some(({ owner }) => owner !== alternatives[0]?.owner);
}

function asPresent({ expression, schema }: Condition): Condition {
  return { expression, schema };
}
