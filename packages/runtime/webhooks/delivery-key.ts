import { builtinModule, type NodeModules } from '../base/platform.ts';
import type { Catalogue } from './catalogue.ts';
import { readValue, type Read, type Readable } from './decision.ts';
import type { Identified } from './identify.ts';
import { mapMaybePromise, type MaybePromise } from './maybe-promise.ts';

/** Returns the replay key of an event that has one kind or a named union of kinds, and `undefined` for others. */
export function replayKey(
  { kinds: all }: Catalogue,
  { name, kinds, data }: Identified,
  from: Readable,
): MaybePromise<string> | undefined {
  if (name === null) return undefined;
  const [first = ''] = kinds;
  const dedupeBy = all.get(first)?.dedupeBy;
  return dedupeBy === undefined ? undefined : deliveryKey(name, dedupeBy, from, data);
}

/**
 * Returns the order key of an event: the value itself if it is one short value, so that operators recognize it, and a
 * digest otherwise. Returns `undefined` where no value exists.
 */
export function createOrderKey(
  orderedBy: readonly Read[],
  from: Readable,
  body: unknown,
): MaybePromise<string> | undefined {
  const values = orderedBy
    .map((read) => readValue(read, from, body))
    .filter((value) => value !== undefined && value !== null);
  if (values.length === 0) return undefined;
  const [value] = values;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  // A store could refuse a long text, or one with unusual characters.
  return orderedBy.length === 1 && /^[ -~]{1,200}$/u.test(text)
    ? text
    : deliveryKey('', orderedBy, from, body);
}

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
  if (!dedupeBy.includes('raw')) return computeKey(kind, dedupeBy, from, body);
  // The events of a delivery would each digest all of its bytes.
  if (dedupeBy.some(isOfBody))
    return mapMaybePromise(
      digestBytes(from),
      (bytes) =>
        // The digest of the bytes makes the value exist.
        computeKey(kind, dedupeBy, from, body, bytes) ?? '',
    );
  const name = `key ${kind}`;
  const key = from.cache.has(name)
    ? (from.cache.get(name) as MaybePromise<string> | undefined)
    : computeKey(kind, dedupeBy, from, body);
  from.cache.set(name, key);
  return key;
}

function isOfBody(read: Read): boolean {
  return typeof read === 'object' && 'body' in read;
}

function digestBytes(from: Readable): MaybePromise<string> {
  const { cache } = from;
  const bytes = cache.has('raw')
    ? (cache.get('raw') as MaybePromise<string>)
    : digest(JSON.stringify(Array.from(from.raw)));
  cache.set('raw', bytes);
  return bytes;
}

/** @param raw stands for the raw bytes of the body */
function computeKey(
  kind: string,
  dedupeBy: readonly Read[],
  from: Readable,
  body: unknown,
  raw?: string,
): MaybePromise<string> | undefined {
  const tokens: unknown[] = [kind];
  let isThere = false;
  for (const read of dedupeBy) {
    const value = read === 'raw' && raw !== undefined ? raw : readValue(read, from, body);
    if (value === undefined) {
      tokens.push(absent);
    } else {
      isThere = true;
      append(value instanceof Uint8Array ? Array.from(value) : value, tokens);
    }
  }
  return isThere ? digest(JSON.stringify(tokens)) : undefined;
}

/** `hash` of `node:crypto`, looked up once; `null` if the platform lacks it. */
let nodeHash: NodeModules['node:crypto']['hash'] | null | undefined;

/** Returns the SHA-256 digest of a text in Base64. */
function digest(text: string): MaybePromise<string> {
  if (nodeHash === undefined) nodeHash = builtinModule('node:crypto')?.hash ?? null;
  return nodeHash === null ? digestOnWeb(text) : nodeHash('sha256', text, 'base64');
}

async function digestOnWeb(text: string): Promise<string> {
  const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hashed)));
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
    for (const name of sortedNames(record)) {
      tokens.push(name);
      append(record[name], tokens);
    }
  }
  tokens.push(end);
}

/** The maximum number of members of an object whose sorted names are kept. */
const maxKept = 64;

/** The names of the last object of each size, as they were and sorted. */
const kept: (readonly [names: readonly string[], sorted: readonly string[]] | undefined)[] = [];

/** Returns the sorted names of the members. Comparing them with those of the last object takes less time than sorting. */
function sortedNames(record: object): readonly string[] {
  const names = Object.keys(record);
  const [last = [], sortedLast = []] = kept[names.length] ?? [];
  if (names.every((name, index) => name === last[index])) return sortedLast;
  // oxlint-disable-next-line unicorn/no-array-sort -- `toSorted` is not in ES2022, which NestJS applications compile for
  const sorted = [...names].sort();
  if (names.length <= maxKept) kept[names.length] = [names, sorted];
  return sorted;
}
