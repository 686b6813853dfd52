import { digest } from '#digest';
import { readValue, type Read, type Readable } from './decision.ts';
import type { MaybePromise } from './maybe-promise.ts';

/**
 * Returns a SHA-256 digest that is equal for equal events of a kind. A replay store thus gets no data of a delivery.
 * Returns `undefined` where `dedupeBy` is empty, or none of its values exists.
 */
export function deliveryKey(
  kind: string,
  dedupeBy: readonly Read[],
  from: Readable,
  body: unknown,
): MaybePromise<string> | undefined {
  if (dedupeBy.length === 0) return undefined;
  const tokens: unknown[] = [kind];
  let isThere = false;
  for (const read of dedupeBy) {
    const value = readValue(read, from, body);
    if (value === undefined) {
      tokens.push(absent);
    } else {
      isThere = true;
      append(value instanceof Uint8Array ? Array.from(value) : value, tokens);
    }
  }
  return isThere ? digest(JSON.stringify(tokens)) : undefined;
}

/** Tokens that no value is written as: they mark absent values, and the start and end of objects and arrays. */
const absent = {};
const object = [absent];
const array: readonly unknown[] = [];
const end = [array];

/**
 * Appends a value as a flat list of tokens, which is the same for any order of members. Serializing one list is several
 * times faster than serializing a copy with sorted members.
 */
function append(value: unknown, tokens: unknown[]): void {
  if (typeof value !== 'object' || value === null) {
    tokens.push(value);
    return;
  }
  if (Array.isArray(value)) {
    tokens.push(array);
    for (const element of value) append(element, tokens);
  } else {
    tokens.push(object);
    const record = value as Readonly<Record<string, unknown>>;
    // oxlint-disable-next-line unicorn/no-array-sort -- no other code uses the list
    for (const name of Object.keys(record).sort()) {
      tokens.push(name);
      append(record[name], tokens);
    }
  }
  tokens.push(end);
}
