import { isJsonObject, type Json } from '../json/json.ts';

/**
 * Returns the path of the first difference between two values; `undefined` where they are equal. Ignores the order of
 * an object's members.
 */
export function jsonDifference(
  a: Json | undefined,
  b: Json | undefined,
): readonly string[] | undefined {
  const stack: Pair[] = [{ a, b, path: [] }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { path } = next;
    const members = commonMembers(next.a, next.b);
    if (members === undefined) return path;
    const [left, right] = [new Map(members.a), new Map(members.b)];
    const names = [...new Set([...left.keys(), ...right.keys()])];
    for (const name of names.toReversed()) {
      stack.push({ a: left.get(name), b: right.get(name), path: [...path, name] });
    }
  }
  return undefined;
}

/** Returns whether two values are the same JSON, ignoring the order of members. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  return jsonDifference(a, b) === undefined;
}

interface Pair {
  readonly a: Json | undefined;
  readonly b: Json | undefined;
  readonly path: readonly string[];
}

type Members = readonly (readonly [string, Json | undefined])[];

/** Returns the members of two values, which remain to be compared; `undefined` where the values differ already. */
function commonMembers(
  a: Json | undefined,
  b: Json | undefined,
): { readonly a: Members; readonly b: Members } | undefined {
  if (a === b) return { a: [], b: [] };
  const lists = Array.isArray(a) && Array.isArray(b);
  const objects = isJsonObject(a) && isJsonObject(b);
  return lists || objects ? { a: Object.entries(a), b: Object.entries(b) } : undefined;
}
