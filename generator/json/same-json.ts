import { isJsonObject } from './json.ts';

/**
 * Returns the path of the first difference between two values; `undefined` where they are equal. Ignores the order of
 * an object's members.
 */
export function jsonDifference(a: unknown, b: unknown): readonly string[] | undefined {
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
export function isSameJson(a: unknown, b: unknown): boolean {
  return jsonDifference(a, b) === undefined;
}

interface Pair {
  readonly a: unknown;
  readonly b: unknown;
  readonly path: readonly string[];
}

type Members = readonly (readonly [string, unknown])[];

/** Returns the members of two values, which remain to be compared; `undefined` where the values differ already. */
function commonMembers(
  a: unknown,
  b: unknown,
): { readonly a: Members; readonly b: Members } | undefined {
  if (a === b) return { a: [], b: [] };
  const lists = Array.isArray(a) && Array.isArray(b);
  const objects = isJsonObject(a) && isJsonObject(b);
  return lists || objects ? { a: Object.entries(a), b: Object.entries(b) } : undefined;
}

/** Returns a text that is the same for two values exactly if they are the same JSON: a key for maps and sets. */
export function toCanonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
