import { type JsonPath, leavesOf, pathsOf, replaceAt, valueAt } from './json-path.ts';
import type { Random } from './random.ts';
import type { Json } from 'countersign/kit';
import { bodyIdentity, type EventIdentity, identifyingPlaces } from './event-identity.ts';
import { freshValues, isTimestamp } from './fresh-values.ts';

/** A payload as another event. */
export interface OtherEvent {
  readonly value: Json;
  /**
   * - `unique`: no earlier event has this identity, in practice.
   * - `one-of-few`: the contract accepts so few values that an earlier event may have this one.
   * - `same`: the contract accepts no other value, or nothing in the payload identifies the event.
   */
  readonly identity: 'unique' | 'one-of-few' | 'same';
}

/**
 * Proposes a payload as another event: with an identity of its own, whatever its values look like. Nothing else changes,
 * except for texts that are equal to the identity, because these refer to the event.
 * @param isKnown whether an event with this payload exists already
 */
export function* proposeOtherEvent(
  event: EventIdentity,
  value: Json,
  random: Random,
  isKnown: (value: Json) => boolean,
): Proposals<OtherEvent> {
  const before = JSON.stringify(bodyIdentity(event, value));
  const isFresh = (candidate: Json): boolean =>
    JSON.stringify(bodyIdentity(event, candidate)) !== before && !isKnown(candidate);
  const leaves = identifyingLeaves(event, value);
  // Only if no member has a unique value, one of few is better than none.
  for (const isOneOfFew of [false, true])
    for (const { path, more } of leaves)
      for (const changed of changesAt(value, path, random, isOneOfFew))
        if (isFresh(changed) && (yield changed))
          return {
            value: yield* changeElements(changed, more, random),
            identity: isOneOfFew ? 'one-of-few' : 'unique',
          };
  return { value, identity: 'same' };
}

/** Changes the same member of the other elements of an array, where the contract accepts a unique value. */
function* changeElements(value: Json, paths: readonly JsonPath[], random: Random): Proposals {
  let base = value;
  for (const path of paths) {
    const unique = changesAt(base, path, random, false);
    base = (yield* firstAccepted(unique)) ?? base;
  }
  return base;
}

function* firstAccepted(values: Iterable<Json>): Proposals<Json | undefined> {
  for (const value of values) if (yield value) return value;
  return undefined;
}

/**
 * Returns the payload with other values at a path.
 * @param isOneOfFew whether with those that an earlier event may have, or with those that are unique in practice
 */
function* changesAt(
  value: Json,
  path: JsonPath,
  random: Random,
  isOneOfFew: boolean,
): Generator<Json> {
  const leaf = valueAt(value, path);
  // The same text elsewhere refers to the same event. The same number can be any number.
  const same =
    typeof leaf === 'string' && leaf.length >= 3
      ? pathsOf(value).filter((leafPath) => valueAt(value, leafPath) === leaf)
      : [path];
  for (const fresh of freshValues(leaf, random)) {
    if (fresh.isOneOfFew !== isOneOfFew) continue;
    for (const places of same.length === 1 ? [[path]] : [same, [path]])
      yield places.reduce<Json>((all, place) => replaceAt(all, place, fresh.value), value);
  }
}

/** A value that is part of an identity. */
interface IdentifyingLeaf {
  readonly path: JsonPath;
  /** The values of the same member in the other elements of an array. */
  readonly more: readonly JsonPath[];
}

/** Returns the values that are part of an identity, those first that look like an identifier. */
function identifyingLeaves(event: EventIdentity, value: Json): readonly IdentifyingLeaf[] {
  const leaves = event.expressions.flatMap((expression): readonly IdentifyingLeaf[] => {
    if (expression === '$request.body') return leafPaths(value, []);
    const places = identifyingPlaces({ ...event, expressions: [expression] }, value);
    const [first, ...more] = places.flatMap((path) =>
      leafPaths(valueAt(value, path), path).map((leaf) => leaf.path),
    );
    return places.length > 1 && first !== undefined
      ? [{ path: first, more }]
      : places.flatMap((path) => leafPaths(valueAt(value, path), path));
  });
  return leaves.toSorted((a, b) => rankOf(value, a.path) - rankOf(value, b.path));
}

function leafPaths(value: Json | undefined, path: JsonPath): readonly IdentifyingLeaf[] {
  return leavesOf(value).map((leaf) => ({ path: [...path, ...leaf.path], more: [] }));
}

/** Ranks values by how much they look like an identifier, which has a digit and no space. */
function rankOf(value: Json, path: JsonPath): number {
  const leaf = valueAt(value, path);
  if (typeof leaf === 'number') return 2;
  if (typeof leaf !== 'string' || isTimestamp(leaf)) return 3;
  return /^\S+$/u.test(leaf) && /\d/u.test(leaf) ? 0 : 1;
}

/**
 * Yields payloads, and expects to be resumed with whether the contract accepts each. Returns the chosen one. Thus, the
 * caller decides how a payload is validated: at once, or in another thread.
 */
export type Proposals<Chosen = Json> = Generator<Json, Chosen, boolean>;

/** Returns the payload that is chosen where `accepts` validates at once. */
export function chooseProposal<Chosen>(
  proposals: Proposals<Chosen>,
  accepts: (value: Json) => boolean,
): Chosen {
  let step = proposals.next();
  while (step.done !== true) step = proposals.next(accepts(step.value));
  return step.value;
}
