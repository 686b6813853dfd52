import { isJsonObject } from '../../json/json.ts';

/** Returns whether two values are equal as JSON, regardless of member order. Ignores `undefined` members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return toCanonical(one) === toCanonical(other);
}

/** Returns a canonical text that is the same for two values exactly if they are equal as JSON. */
export function toCanonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
