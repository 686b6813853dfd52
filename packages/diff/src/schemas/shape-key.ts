import { SchemaNode } from 'countersign/companion/contract';
import { toCanonical } from 'countersign/companion/values';
import type { Json, SchemaIndex } from 'countersign/kit';
import { withoutCovered } from './covers.ts';
import type { Part } from './place.ts';
import { type Shape, shapesOf } from './shapes.ts';

/** The nesting of members after which schemas are compared as they are written. */
const maxDepth = 10;

/**
 * Creates the function that returns a text which two shapes share only if they accept the same values, however they are
 * written. References to named schemas are not followed in members.
 */
export function createShapeKey(index: SchemaIndex): (shape: Shape) => string {
  const keyOfParts = (parts: readonly Part[], depth: number): Json => {
    const written = parts.map(({ schema }) => schema as Json);
    if (depth === 0 || isReference(parts)) return written;
    const shapes = shapesOf(parts, index);
    if (shapes === undefined) return written;
    const distinct = withoutCovered(shapes, (shape) => keyOf(shape, depth));
    return [...new Set(distinct.map((shape) => keyOf(shape, depth)))].toSorted();
  };
  const keyOf = (shape: Shape, depth: number): string => {
    const { kind, values, known, limits, isInteger, rules, members, rest, prefix, choice } = shape;
    return toCanonical([
      kind,
      choice.isExclusive,
      keysOf(values),
      keysOf(known),
      Array.from(limits, ([keyword, { value }]) => `${keyword} ${value}`).toSorted(),
      isInteger,
      keysOf(rules),
      Array.from(members, ([name, { required, parts }]) =>
        toCanonical([name, required !== undefined, keyOfParts(parts, depth - 1)]),
      ).toSorted(),
      rest.length === 0 ? null : keyOfParts(rest, depth - 1),
      prefix.map(({ parts }) => keyOfParts(parts, depth - 1)),
    ]);
  };
  const keys = new WeakMap<Shape, string>();
  return (shape) => {
    const key = keys.get(shape) ?? keyOf(shape, maxDepth);
    keys.set(shape, key);
    return key;
  };
}

function isReference([only, ...others]: readonly Part[]): boolean {
  if (only === undefined || others.length > 0) return false;
  const { reference, keywords } = new SchemaNode(only.schema);
  return reference !== undefined && Object.keys(keywords).length === 1;
}

function keysOf(list: ReadonlyMap<string, unknown> | undefined): Json {
  return list === undefined ? null : [...list.keys()].toSorted();
}
