import type { Cursor } from '../json/cursor.ts';
import { type Pointer, pointerMembers } from '../json/pointer.ts';
import { operationMethods } from './openapi-grammar.ts';
import { isSame } from './same-value.ts';

/** An OpenAPI Operation Object and its place. */
export interface OperationPlace {
  /** The path template, or the key of a webhook. */
  readonly key: string;
  /** The name of a callback whose key has more than that, because others have the name too. */
  readonly sharedName?: string;
  /** The path after the expression of a callback's URL: `/pix` of `{$request.body#/url}/pix`. */
  readonly suffix?: string;
  readonly method: string;
  readonly pathItem: Cursor;
  readonly operation: Cursor;
}

export function placeId({ method, key }: OperationPlace): string {
  return `${method.toLowerCase()} ${key}`;
}

/** Returns the operationId, or the method and path if there is none. */
export function operationId(place: OperationPlace): string {
  return place.operation.text('operationId') ?? placeId(place);
}

/** Returns the operations below `paths` or `webhooks`, in the author's order. */
export function operationPlaces(pathItems: Cursor): readonly OperationPlace[] {
  return pathItems.entries().flatMap(([key, item]) => {
    if (key.startsWith('x-')) return [];
    const pathItem = item.follow();
    return pathItem
      .entries()
      .filter(([method]) => operationMethods.includes(method))
      .map(([method, operation]) => ({ key, method: method.toUpperCase(), pathItem, operation }));
  });
}

/**
 * Returns the operations in the callbacks of other operations. A callback that several operations refer to is returned
 * once. The key is the name where the callback or its path item is written, such as in `components`. If different
 * callbacks share a name, the id of the owning operation precedes it: of several, the first one by its id.
 */
export function callbackPlaces(places: readonly OperationPlace[]): readonly OperationPlace[] {
  const callbacks = new Map<Pointer, { readonly place: OperationPlace; readonly of: string[] }>();
  for (const place of places) {
    for (const [, entry] of place.operation.entries('callbacks')) {
      for (const inner of operationPlaces(entry.follow())) {
        const { pointer } = inner.operation;
        const callback = { ...inner, key: ownKey(inner), ...suffixOf(inner.key) };
        const known = callbacks.get(pointer) ?? { place: callback, of: [] };
        known.of.push(operationId(place));
        callbacks.set(pointer, known);
      }
    }
  }
  const owned = new Map<OperationPlace, string>();
  for (const [name, alike] of Map.groupBy(callbacks.values(), ({ place }) => place.key)) {
    const ownersOf = new Map(alike.map(({ place, of }) => [place, of]));
    const places = [...ownersOf.keys()];
    const groups = [...Map.groupBy(places, (place) => firstCopy(place, places)).values()].map(
      (copies) => {
        const [owner = ''] = copies.flatMap((place) => ownersOf.get(place) ?? []).toSorted();
        return { owner, copies };
      },
    );
    if (new Set(groups.map(({ owner }) => owner)).size === 1) continue;
    for (const { owner, copies } of groups)
      for (const place of copies) owned.set(place, `${owner} ${name}`);
  }
  return Array.from(callbacks.values(), ({ place }) => {
    const key = owned.get(place);
    return key === undefined ? place : { ...place, key, sharedName: place.key };
  });
}

/**
 * Returns the key under which a path item is written, whatever refers to it. The path item of a callback has the name of
 * the callback.
 */
export function ownKey({ pathItem }: OperationPlace): string {
  const members = pointerMembers(pathItem.pointer);
  return members.at(members.at(-3) === 'callbacks' ? -2 : -1) ?? '';
}

/**
 * Returns the operations without those that repeat an earlier one with the same key. Examples are a webhook under both
 * `webhooks` and `x-webhooks`, and one callback of several operations.
 */
export function withoutCopies(places: readonly OperationPlace[]): readonly OperationPlace[] {
  const byKey = Map.groupBy(places, ({ key }) => key);
  return places.filter((place) => firstCopy(place, byKey.get(place.key) ?? []) === place);
}

/** Returns the first of several operations that `place` repeats, or `place` itself if it repeats none. */
function firstCopy(place: OperationPlace, among: readonly OperationPlace[]): OperationPlace {
  return among.find((other) => other === place || isCopy(other, place)) ?? place;
}

/** Returns whether two operations differ only in their place in the document and in their operationId. */
function isCopy(a: OperationPlace, b: OperationPlace): boolean {
  const members = new Set(
    [a, b].flatMap(({ operation }) => operation.entries().map(([name]) => name)),
  );
  members.delete('operationId');
  return (
    a.method === b.method &&
    a.suffix === b.suffix &&
    inheritedMembers.every((name) => isSame(a.pathItem.child(name), b.pathItem.child(name))) &&
    [...members].every((name) => isSame(a.operation.child(name), b.operation.child(name)))
  );
}

/** The members that an operation inherits from its path item. */
const inheritedMembers = ['parameters', 'summary', 'description', 'servers'] as const;

/** Returns the path that follows the expression of a callback's URL, if it has no expression itself. */
function suffixOf(url: string): Pick<OperationPlace, 'suffix'> {
  const path = /^\{\$[^{}]*\}(?<path>(?:\/[^/{}?#]+)+)\/?$/u.exec(url)?.groups?.['path'];
  return path === undefined ? {} : { suffix: path };
}
