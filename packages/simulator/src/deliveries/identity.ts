import type { SimulatorContext } from '../context.ts';
import {
  expandPath,
  type JsonPath,
  leavesOf,
  parsePointer,
  pathsOf,
  replaceAt,
  valueAt,
} from '../json-path.ts';
import type { Random } from '../random.ts';
import type { Json, NotificationData } from '../service-description.ts';
import { isAccepted } from './spoil-payload.ts';
import { varyIdentifiers } from './vary-identifiers.ts';

/** Remembers which events were sent, by what the contract states as their identity. */
export class Identities {
  readonly #known = new Set<string>();

  has(identity: string | undefined): boolean {
    return identity !== undefined && this.#known.has(identity);
  }

  /** Adds an identity. Returns whether it was there before. The oldest of many are forgotten. */
  add(identity: string | undefined): boolean {
    if (identity === undefined) return false;
    const isKnown = this.#known.delete(identity);
    this.#known.add(identity);
    const [oldest] = this.#known;
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return isKnown;
  }
}

/** The most identities that are remembered. */
const maxKnown = 1_000_000;

/**
 * Returns what makes two deliveries of a notification the same event, as `x-dedupe-by` states it; `undefined` where the
 * contract states nothing, or the body has none of it.
 */
export function identityOf(
  context: SimulatorContext,
  notification: NotificationData,
  value: Json | undefined,
): string | undefined {
  if (value === undefined) return undefined;
  const expressions = expressionsOf(context, notification);
  if (expressions.includes('$request.body')) return JSON.stringify([notification.kind, value]);
  const values = placesOf(context, notification, value).map((path) => valueAt(value, path) ?? null);
  return values.length === 0 ? undefined : JSON.stringify([notification.kind, values]);
}

/**
 * Returns the payload as another event: with other identifiers, and with an identity that is not known, whatever its
 * values look like. It stays as it is known where the contract accepts no other value.
 */
export function toOtherEvent(
  context: SimulatorContext,
  notification: NotificationData,
  value: Json,
  random: Random,
  known: Identities,
): Json {
  const varied = varyIdentifiers(context, notification, value, random);
  const before = identityOf(context, notification, value);
  const isFresh = (one: Json): boolean => {
    const identity = identityOf(context, notification, one);
    return identity === undefined || (identity !== before && !known.has(identity));
  };
  if (isFresh(varied)) return varied;
  for (const path of leafPaths(varied, placesOf(context, notification, varied))) {
    const changed = changeLeaf(context, notification, varied, path, random, isFresh);
    if (changed !== undefined) return changed;
  }
  return varied;
}

function changeLeaf(
  context: SimulatorContext,
  notification: NotificationData,
  value: Json,
  path: JsonPath,
  random: Random,
  isFresh: (value: Json) => boolean,
): Json | undefined {
  const leaf = valueAt(value, path);
  // The same text elsewhere refers to the same event. The same number can be any number.
  const same =
    typeof leaf === 'string' && leaf.length >= 3
      ? pathsOf(value).filter((one) => valueAt(value, one) === leaf)
      : [path];
  for (const other of candidates(leaf, random))
    for (const places of [same, [path]]) {
      const changed = places.reduce<Json>((all, place) => replaceAt(all, place, other), value);
      if (isFresh(changed) && isAccepted(context, notification, changed)) return changed;
    }
  return undefined;
}

/** Returns other values, those first that no other delivery has by chance. */
function candidates(leaf: Json | undefined, random: Random): readonly Json[] {
  if (typeof leaf === 'number') {
    const limits = [9e14, 999_999_999, 999_999, 9_999, 999, 99, 9];
    return [
      ...limits.map((limit) => random.integer(Math.floor(limit / 10), limit)),
      ...[1, 2, 3, 4, 5].map((more) => leaf + more),
    ];
  }
  if (typeof leaf !== 'string') return [];
  // What is before the last separator often names the type of the object.
  const [prefix = ''] = /^.*[_:./-]/su.exec(leaf) ?? [];
  const digits = (length: number): string =>
    Array.from({ length }, () => String(random.integer(0, 9))).join('');
  const { length } = leaf;
  return [
    `${prefix}${random.text(12)}`,
    random.uuid(),
    ...Array.from({ length: 5 }, () => similar(leaf, random)),
    ...Array.from({ length: 5 }, () => leaf.replaceAll(/\d/gu, () => digits(1))),
    ...[length, 12, 8, 4].map(digits),
    random.text(length),
    random.text(length).toUpperCase(),
    random.text(length).toLowerCase(),
    `${leaf}${random.text(8)}`,
    `${leaf}${digits(6)}`,
  ];
}

/** Returns text with other letters and digits of the same classes. */
function similar(text: string, random: Random): string {
  const draw = (first: string, count: number): string =>
    String.fromCharCode(first.charCodeAt(0) + random.integer(0, count - 1));
  return text.replaceAll(/[\da-zA-Z]/gu, (one) =>
    one <= '9' ? draw('0', 10) : one <= 'Z' ? draw('A', 26) : draw('a', 26),
  );
}

function expressionsOf(
  { settle }: Pick<SimulatorContext, 'settle'>,
  { dedupeBy }: NotificationData,
): readonly string[] {
  const stated: unknown = dedupeBy === undefined ? [] : settle(dedupeBy);
  return Array.isArray(stated) ? stated.filter((one) => typeof one === 'string') : [];
}

/** Returns where a body has the values of the identity: at their places, or in another wire format by their names. */
function placesOf(
  context: SimulatorContext,
  notification: NotificationData,
  value: Json,
): readonly JsonPath[] {
  return expressionsOf(context, notification).flatMap((expression) => {
    const path = parsePointer(/^\$request\.body#(.*)$/su.exec(expression)?.[1] ?? '-');
    if (path === undefined) return [];
    const found = expandPath(value, path);
    if (found.length > 0) return found;
    const name = path.findLast((one) => !/^(?:\*|\d+)$/u.test(one));
    return leavesOf(value)
      .filter((leaf) => leaf.path.at(-1) === name)
      .map((leaf) => leaf.path);
  });
}

function leafPaths(value: Json, paths: readonly JsonPath[]): readonly JsonPath[] {
  const all = paths.length > 0 ? paths : [[]];
  return all.flatMap((path) =>
    leavesOf(valueAt(value, path)).map((leaf) => [...path, ...leaf.path]),
  );
}
