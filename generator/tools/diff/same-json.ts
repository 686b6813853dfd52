import { isJsonObject } from '../../json/json.ts';

/** Whether two values are the same JSON, whatever the order of members; a member that is `undefined` is not there. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return toCanonical(one) === toCanonical(other);
}

/** A text that two values share exactly if they are the same JSON. */
export function toCanonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
