import { pointerMembers } from '../../json/pointer.ts';
import type { Label } from '../contract.ts';
import type { Condition, Conditions } from '../../schema/model.ts';
import { areDisjoint } from '../../schema/value-set.ts';

/**
 * Returns whether one delivery could satisfy both lists of alternatives. Returns `false` only where that is provably
 * impossible. Every delivery satisfies an empty list and an alternative without conditions.
 */
export function canBothMatch(a: readonly Conditions[], b: readonly Conditions[]): boolean {
  if (a.length === 0 || b.length === 0) return true;
  return a.some((one) => b.some((other) => !areExclusive(one, other)));
}

/**
 * Returns whether one request could match both labels: the methods are equal or one of them is not stated, and the path
 * templates can match the same path. A missing label matches every request.
 */
export function labelsOverlap(a: Label | undefined, b: Label | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  if (a.method !== undefined && b.method !== undefined && a.method !== b.method) return false;
  const left = a.path.split('/');
  const right = b.path.split('/');
  return (
    left.length === right.length &&
    left.every((segment, index) => segmentsUnify(segment, right[index] ?? ''))
  );
}

function areExclusive(a: Conditions, b: Conditions): boolean {
  return a.some((one) => b.some((other) => areExclusiveConditions(one, other)));
}

/** Returns whether it is provable that no delivery satisfies both conditions. */
export function areExclusiveConditions(a: Condition, b: Condition): boolean {
  if (isSameExpression(a.expression, b.expression)) {
    if (a.schema === false || b.schema === false) return a.schema !== b.schema;
    return areDisjoint(a.schema, b.schema);
  }
  return deniesAncestorOf(a, b) || deniesAncestorOf(b, a);
}

function isSameExpression(a: string, b: string): boolean {
  return a === b || canonicalExpression(a) === canonicalExpression(b);
}

/**
 * Returns whether the outer condition excludes the member that the inner one requires. A present member needs every
 * container on its path, so an absent container or a scalar excludes it.
 */
function deniesAncestorOf(outer: Condition, inner: Condition): boolean {
  if (inner.schema === false) return false;
  const above = bodyPathOf(outer);
  const below = bodyPathOf(inner);
  if (above === undefined || below === undefined || below.length <= above.length) return false;
  if (!above.every((member, index) => member === below[index])) return false;
  if (outer.schema === false) return true;
  const next = below[above.length] ?? '';
  const container = { type: /^(?:0|[1-9]\d*)$/.test(next) ? ['object', 'array'] : 'object' };
  return areDisjoint(outer.schema, container);
}

/**
 * Returns the same text for all expressions with the same meaning: header names are case-insensitive, and a trailing
 * `#` is removed.
 */
export function canonicalExpression(expression: string): string {
  if (/^\$(?:request|response)\.header\./.test(expression)) return expression.toLowerCase();
  return expression.endsWith('#') ? expression.slice(0, -1) : expression;
}

/**
 * Returns the body path of a condition from a cache, because each condition is compared with those of all other
 * notifications.
 */
function bodyPathOf(condition: Condition): readonly string[] | undefined {
  if (!bodyPaths.has(condition)) bodyPaths.set(condition, bodyPath(condition.expression));
  return bodyPaths.get(condition);
}

const bodyPaths = new WeakMap<Condition, readonly string[] | undefined>();

function bodyPath(expression: string): readonly string[] | undefined {
  const path = /^\$request\.body#(?<path>\/.*)$/s.exec(expression)?.groups?.['path'];
  if (path !== undefined) return pointerMembers(path);
  return /^\$request\.body#?$/.test(expression) ? [] : undefined;
}

/**
 * Returns whether two path segments can match the same text. A parameter in braces matches any text without a slash.
 */
function segmentsUnify(a: string, b: string): boolean {
  const [left, right] = [literalEnds(a), literalEnds(b)];
  if (left === undefined && right === undefined) return a === b;
  const [startA, endA] = left ?? [a, a];
  const [startB, endB] = right ?? [b, b];
  if (!startsAlike(startA, startB) || !endsAlike(endA, endB)) return false;
  if (left === undefined) return a.length >= startB.length + endB.length;
  if (right === undefined) return b.length >= startA.length + endA.length;
  return true;
}

/** Returns the text before the first parameter and after the last; `undefined` where a segment has no parameter. */
function literalEnds(segment: string): readonly [string, string] | undefined {
  const first = segment.indexOf('{');
  const last = segment.lastIndexOf('}');
  return first >= 0 && last > first
    ? [segment.slice(0, first), segment.slice(last + 1)]
    : undefined;
}

function startsAlike(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

function endsAlike(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a);
}
