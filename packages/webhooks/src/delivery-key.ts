import { digest } from '#digest';
import { readValue, type Read, type Readable } from './decision.ts';
import type { MaybePromise } from './maybe-promise.ts';

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

/** What no value is written as: between two such tokens stand the parts of one. */
const absent = {};
const object = [absent];
const array: readonly unknown[] = [];
const end = [array];

/**
 * Writes a value as a flat list of tokens, the same for equal values in whichever order their members stand. One
 * list is written as text several times faster than a copy in order would be.
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
    // oxlint-disable-next-line unicorn/no-array-sort -- the list is nobody else's
    for (const name of Object.keys(record).sort()) {
      tokens.push(name);
      append(record[name], tokens);
    }
  }
  tokens.push(end);
}
