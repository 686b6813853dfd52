import { toCanonical } from 'countersign/companion/values';
import type { Json } from 'countersign/kit';
import { acceptsAnything } from './difference.ts';
import type { Part } from './place.ts';
import { isLower, type Member, type Shape } from './shapes.ts';

/**
 * Returns whether every value of one shape has another shape too, as far as their keywords tell without following
 * references. `false` if that is not certain.
 */
function covers(shape: Shape, other: Shape): boolean {
  return (
    shape.kind === other.kind &&
    [...shape.rules.keys()].every((rule) => other.rules.has(rule)) &&
    coversValues(shape, other) &&
    (shape.kind !== 'object' || coversMembers(shape, other)) &&
    (shape.kind !== 'array' || coversItems(shape, other))
  );
}

function coversValues(shape: Shape, { values, limits, isInteger }: Shape): boolean {
  if (values !== undefined)
    return [...values].every(
      ([key, value]) => shape.values?.has(key) ?? isWithinLimits(value, shape),
    );
  if (shape.values !== undefined || (shape.isInteger && !isInteger)) return false;
  return [...shape.limits].every(([keyword, { value }]) => {
    const own = limits.get(keyword)?.value;
    return own !== undefined && (isLower(keyword) ? own >= value : own <= value);
  });
}

/** Returns whether a listed value is within the limits of a shape; `false` if a limit is of another kind. */
export function isWithinLimits(value: Json, { limits, isInteger, rules }: Shape): boolean {
  if (rules.size > 0 || (isInteger && !Number.isInteger(value))) return false;
  return [...limits].every(([keyword, { value: limit }]) => {
    if (typeof value === 'number') {
      if (keyword === 'minimum') return value >= limit;
      if (keyword === 'maximum') return value <= limit;
      if (keyword === 'exclusiveMinimum') return value > limit;
      return keyword === 'exclusiveMaximum' && value < limit;
    }
    if (typeof value !== 'string') return false;
    const { length } = Array.from(value);
    return keyword === 'minLength' ? length >= limit : keyword === 'maxLength' && length <= limit;
  });
}

function coversMembers(shape: Shape, other: Shape): boolean {
  const isCovered = ([name, member]: readonly [string, Member]): boolean => {
    const own = other.members.get(name);
    if (member.required !== undefined && own?.required === undefined) return false;
    return acceptsAnything(member.parts) || includes(own?.parts ?? [], member.parts);
  };
  const isDeclared = (name: string): boolean => shape.members.has(name);
  const isClosed = shape.rest.length > 0;
  return (
    [...shape.members].every(isCovered) &&
    includes(other.rest, shape.rest) &&
    (!isClosed || [...other.members.keys()].every(isDeclared))
  );
}

function coversItems(shape: Shape, other: Shape): boolean {
  return (
    includes(other.rest, shape.rest) &&
    shape.prefix.every(({ parts }, position) =>
      includes(other.prefix[position]?.parts ?? [], parts),
    ) &&
    (shape.rest.length === 0 || shape.prefix.length === other.prefix.length)
  );
}

/** Returns whether schemas that all apply contain each of some others. */
function includes(parts: readonly Part[], others: readonly Part[]): boolean {
  const keys = new Set(parts.map(({ schema }) => toCanonical(schema)));
  return others.every(({ schema }) => keys.has(toCanonical(schema)));
}

/** Returns shapes without those whose values all have another one, where alternatives do not exclude one another. */
export function withoutCovered(
  shapes: readonly Shape[],
  keyOf: (shape: Shape) => string,
  others: readonly Shape[] = [],
): readonly Shape[] {
  if (shapes.length + others.length < 2) return shapes;
  const isAlike = (shape: Shape, other: Shape): boolean =>
    covers(other, shape) || (shape.kind === other.kind && keyOf(shape) === keyOf(other));
  const kept: Shape[] = [];
  for (const [position, shape] of shapes.entries()) {
    const rest = [...others, ...kept, ...shapes.slice(position + 1)];
    const isCovered =
      !shape.choice.isExclusive &&
      rest.some((other) => !other.choice.isExclusive && isAlike(shape, other));
    if (!isCovered) kept.push(shape);
  }
  return kept;
}
