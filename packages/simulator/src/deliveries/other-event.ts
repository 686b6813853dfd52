import { type JsonPath, leavesOf, pathsOf, replaceAt, valueAt } from '../json-path.ts';
import type { Random } from '../random.ts';
import type { Json } from '../service-description.ts';
import { bodyIdentity, type EventIdentity, identifyingPlaces } from './event-identity.ts';
import type { Proposals } from './proposals.ts';
import { proposeIdentifiers } from './vary-identifiers.ts';

/**
 * Proposes a payload as another event: with other identifiers, and with an identity of its own, whatever its values look
 * like. It stays the same event where the contract accepts no other value.
 * @param isKnown whether an event with this payload exists already
 */
export function* proposeOtherEvent(
  event: EventIdentity,
  value: Json,
  random: Random,
  isKnown: (value: Json) => boolean,
): Proposals {
  const varied = yield* proposeIdentifiers(value, random);
  const before = JSON.stringify(bodyIdentity(event, value));
  const isFresh = (one: Json): boolean => {
    const identity = bodyIdentity(event, one);
    return identity === undefined || (JSON.stringify(identity) !== before && !isKnown(one));
  };
  if (isFresh(varied)) return varied;
  for (const path of leafPaths(varied, identifyingPlaces(event, varied)))
    for (const changed of changesAt(varied, path, random))
      if (isFresh(changed) && (yield changed)) return changed;
  return varied;
}

/** Returns the payload with other values at a path. */
function* changesAt(value: Json, path: JsonPath, random: Random): Generator<Json> {
  const leaf = valueAt(value, path);
  // The same text elsewhere refers to the same event. The same number can be any number.
  const same =
    typeof leaf === 'string' && leaf.length >= 3
      ? pathsOf(value).filter((one) => valueAt(value, one) === leaf)
      : [path];
  for (const other of candidates(leaf, random))
    for (const places of [same, [path]])
      yield places.reduce<Json>((all, place) => replaceAt(all, place, other), value);
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

function leafPaths(value: Json, paths: readonly JsonPath[]): readonly JsonPath[] {
  const all = paths.length > 0 ? paths : [[]];
  return all.flatMap((path) =>
    leavesOf(valueAt(value, path)).map((leaf) => [...path, ...leaf.path]),
  );
}
