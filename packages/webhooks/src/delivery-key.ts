import { digest } from '#digest';
import { readValue, type Read, type Readable } from './decision.ts';
import type { MaybePromise } from './request.ts';

/**
 * What makes an event the same as another of its kind, as a digest: nothing of a delivery gets into a store.
 * `undefined` where nothing is declared, or none of it is there.
 */
export function deliveryKey(
  kind: string,
  dedupeBy: readonly Read[],
  from: Readable,
  body: unknown,
): MaybePromise<string> | undefined {
  if (dedupeBy.length === 0) return undefined;
  const values = dedupeBy.map((read) => readValue(read, from, body));
  if (values.every((value) => value === undefined)) return undefined;
  const parts = values.map((value) =>
    value instanceof Uint8Array ? Array.from(value) : value === undefined ? [] : [value],
  );
  return digest(JSON.stringify([kind, ordered(parts)]));
}

/** The same value for equal values, in whichever order their members stand. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const record = value as Readonly<Record<string, unknown>>;
  // Without a prototype, a member `__proto__` is one like any other.
  const copy = Object.create(null) as Record<string, unknown>;
  // oxlint-disable-next-line unicorn/no-array-sort -- the list is nobody else's, and copying it costs
  for (const name of Object.keys(record).sort()) copy[name] = ordered(record[name]);
  return copy;
}
