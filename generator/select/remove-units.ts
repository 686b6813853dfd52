import type { Cursor } from '../json/cursor.ts';
import { type JsonObject, isJsonObject, toObject } from '../json/json.ts';
import {
  type Pointer,
  pointerDocument,
  pointerMembers,
  toLocalReference,
  toPointer,
} from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { cursorAt, placesOf } from '../documents/places.ts';
import { operationPlaces } from '../specification/operation-places.ts';
import { prune } from './prune.ts';
import { replaceRoots } from './replace-roots.ts';
import { takesSecurity, type Unit } from './units.ts';

/** Removes the units that are not kept, the links to them, and the tags that only they have. Changes nothing else. */
export function removeUnits(
  documents: Documents,
  units: readonly Unit[],
  kept: ReadonlySet<Unit>,
): Documents {
  const removed = units.filter((unit) => !kept.has(unit));
  const prepared = replaceRoots(documents, (root, moved) =>
    pointerDocument(root.pointer) === 'asyncapi'
      ? listMessages(root, units, removed, moved)
      : keepCallbacks(root, kept, moved),
  );
  const holders = new Set(Array.from(kept, ({ holder }) => holder));
  const places = new Set(
    removed.flatMap(({ place, holder }) => (holders.has(holder) ? [place] : [place, holder])),
  );
  // The security requirement of an OpenAPI document has no effect without a unit that it stands for.
  const isNeeded = Array.from(kept).some(takesSecurity);
  return prune(prepared, [
    ...places,
    ...emptyCallbacks(prepared, places),
    ...linksTo(prepared, removed, kept),
    ...unusedTags(prepared, removed, kept),
    ...(isNeeded ? [] : [toPointer('openapi#', 'security')]),
  ]);
}

/** Writes a list of messages into each AsyncAPI operation that loses some and has all messages of its channel. */
function listMessages(
  root: Cursor,
  units: readonly Unit[],
  removed: readonly Unit[],
  moved: Map<Pointer, Pointer>,
): JsonObject {
  const operations = { ...toObject(root.valueIn('operations')) };
  for (const holder of new Set(removed.flatMap((unit) => (unit.message ? unit.holder : [])))) {
    const key = pointerMembers(holder).at(-1) ?? '';
    const operation = root.child('operations', key).follow();
    const messages = units.flatMap((unit) => (unit.holder === holder ? (unit.message ?? []) : []));
    if (!isJsonObject(operation.value) || operation.items('messages').length > 0) continue;
    moved.set(holder, operation.pointer);
    for (const [index, { pointer }] of messages.entries())
      moved.set(toPointer(holder, 'messages', index), pointer);
    const list = messages.map(({ pointer }) => ({ $ref: toLocalReference(pointer) }));
    operations[key] = { ...operation.value, messages: list };
  }
  return removed.some(({ message }) => message !== undefined)
    ? { ...root.root, operations }
    : root.root;
}

/** Turns kept callbacks into webhooks if all operations that have them are removed. */
function keepCallbacks(
  root: Cursor,
  kept: ReadonlySet<Unit>,
  moved: Map<Pointer, Pointer>,
): JsonObject {
  const isOld = root.text('openapi')?.startsWith('3.0') === true;
  const section = isOld ? 'x-webhooks' : 'webhooks';
  const webhooks = { ...toObject(root.valueIn(section)) };
  const hoisted = new Set<Pointer>();
  for (const { callback } of kept) {
    if (callback === undefined || callback.owners.some((owner) => kept.has(owner))) continue;
    const { name, pathItem } = callback;
    if (hoisted.has(pathItem.pointer)) continue;
    hoisted.add(pathItem.pointer);
    let key = name;
    for (let count = 2; Object.hasOwn(webhooks, key); count += 1) key = `${name} ${count}`;
    moved.set(toPointer(root.pointer, section, key), pathItem.pointer);
    webhooks[key] = pathItem.value;
  }
  return hoisted.size === 0 ? root.root : { ...root.root, [section]: webhooks };
}

/** Returns the callbacks whose operations are all removed. */
function emptyCallbacks(documents: Documents, removed: ReadonlySet<Pointer>): readonly Pointer[] {
  return placesOf(documents).flatMap((place) => {
    const operations = place.kind === 'callback' ? operationPlaces(place.follow()) : [];
    const isEmpty = operations.every(({ operation }) => removed.has(operation.pointer));
    return operations.length > 0 && isEmpty ? place.pointer : [];
  });
}

/** Returns the links to removed operations, which would make the document invalid. */
function linksTo(
  documents: Documents,
  removed: readonly Unit[],
  kept: ReadonlySet<Unit>,
): readonly Pointer[] {
  const places = new Set(removed.map(({ place }) => place));
  const keptIds = idsOf(kept);
  const ids = new Set(idsOf(removed).filter((id) => !keptIds.includes(id)));
  return placesOf(documents).flatMap((place) => {
    if (place.kind !== 'link') return [];
    const link = place.follow();
    const reference = link.text('operationRef') ?? '';
    const leadsToRemoved =
      ids.has(link.text('operationId') ?? '') ||
      (reference.startsWith('#/') && places.has(link.lookUp(reference).pointer));
    return leadsToRemoved ? place.pointer : [];
  });
}

function idsOf(units: Iterable<Unit>): readonly string[] {
  return Array.from(units).flatMap(({ kind, names: [id] }) =>
    kind === 'operation' ? (id ?? []) : [],
  );
}

/** Returns the tags of an OpenAPI document that only removed units have. */
function unusedTags(
  documents: Documents,
  removed: readonly Unit[],
  kept: ReadonlySet<Unit>,
): readonly Pointer[] {
  const used = new Set(Array.from(kept).flatMap(({ tags }) => tags));
  const unused = new Set(removed.flatMap(({ tags }) => tags.filter((tag) => !used.has(tag))));
  return cursorAt(documents, 'openapi#/tags')
    .items()
    .flatMap((tag) => (unused.has(tag.text('name') ?? '') ? tag.pointer : []));
}
