import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import type { Documents } from '../load/documents.ts';
import { type Pointer, toPointer } from '../json/pointer.ts';
import {
  type Cursor,
  child,
  entries,
  follow,
  items,
  lookUp,
  referenceOf,
  text,
  toCursor,
} from '../json/cursor.ts';
import { operationPlaces } from '../specification/operation-places.ts';
import { operationMethods } from '../specification/specification-objects.ts';
import { walk } from '../specification/walk.ts';
import { type Reduced, replaceRoots } from './reduced.ts';
import type { OpenapiSection, Unit } from './units.ts';
import { withoutPlaces } from './without.ts';

/** Removes the units that are not kept, the links to them, and the tags that only they have. Changes nothing else. */
export function dropUnits(
  documents: Documents,
  units: readonly Unit[],
  kept: ReadonlySet<Unit>,
): Reduced {
  const moved = new Map<Pointer, Pointer>();
  const dropped = units.filter((unit) => !kept.has(unit));
  const reduced = replaceRoots(documents, (root, document) => {
    if (document === 'asyncapi') return dropMessages(root, dropped, kept, moved);
    const sections: readonly OpenapiSection[] = ['paths', 'webhooks', 'x-webhooks'];
    const rest = sections.reduce((at, name) => dropMethods(at, name, dropped, moved), root);
    const tagged = dropTags(keepCallbacks(rest, dropped, kept, moved), dropped, kept, moved);
    const whole = dropLinks(tagged, dropped, kept);
    // The security requirement of the document has no effect without an OpenAPI operation.
    const { security, ...bare } = whole;
    const isCalled = Array.from(kept).some(({ place }) => place.section !== 'operations');
    return security === undefined || isCalled ? whole : bare;
  });
  return { documents: reduced, moved };
}

function dropMethods(
  root: JsonObject,
  section: OpenapiSection,
  dropped: readonly Unit[],
  moved: Map<Pointer, Pointer>,
): JsonObject {
  const methods = new Map<string, Set<string>>();
  for (const { place } of dropped) {
    if (place.section !== section) continue;
    methods.set(place.key, (methods.get(place.key) ?? new Set()).add(place.method));
  }
  if (methods.size === 0) return root;
  const pathItems = entries(child(toCursor(root, 'openapi'), section)).flatMap(
    ([key, written]): readonly [string, Json][] => {
      const gone = methods.get(key);
      if (gone === undefined) return [[key, written.value ?? null]];
      const item = follow(written);
      const left = entries(item).filter(([member]) => !gone.has(member));
      if (!left.some(([member]) => isMethod(member))) return [];
      if (item.pointer !== written.pointer) moved.set(written.pointer, item.pointer);
      return [[key, toObject(left)]];
    },
  );
  return { ...root, [section]: Object.fromEntries(pathItems) };
}

/**
 * Removes dropped callbacks. A kept callback whose operations are all dropped becomes a webhook, because no operation
 * is left that could carry it.
 */
function keepCallbacks(
  root: JsonObject,
  dropped: readonly Unit[],
  kept: ReadonlySet<Unit>,
  moved: Map<Pointer, Pointer>,
): JsonObject {
  const gone = dropped.flatMap(({ place, pointer }) =>
    place.section === 'callbacks' ? pointer : [],
  );
  let rest = root;
  if (gone.length > 0) {
    rest = withoutPlaces(root, gone);
    const empty = [...walk(toCursor(rest, 'openapi'), 'document')].filter(
      (place) => place.kind === 'callback' && operationPlaces(follow(place)).length === 0,
    );
    rest = withoutPlaces(
      rest,
      empty.map(({ pointer }) => pointer),
    );
  }
  const version = text(child(toCursor(root, 'openapi'), 'openapi')) ?? '';
  const section = version.startsWith('3.0') ? 'x-webhooks' : 'webhooks';
  for (const { owners, place } of kept) {
    if (place.section !== 'callbacks' || owners.some((owner) => kept.has(owner))) continue;
    const known = isJsonObject(rest[section]) ? rest[section] : {};
    let key = place.key;
    for (let count = 2; Object.hasOwn(known, key); count += 1) key = `${place.key} ${count}`;
    moved.set(toPointer('openapi#', section, key), place.item.pointer);
    rest = { ...rest, [section]: { ...known, [key]: place.item.value } };
  }
  return rest;
}

/** Removes the tags that only dropped units have. */
function dropTags(
  root: JsonObject,
  dropped: readonly Unit[],
  kept: ReadonlySet<Unit>,
  moved: Map<Pointer, Pointer>,
): JsonObject {
  const left = new Set([...kept].flatMap(({ tags }) => tags));
  const gone = new Set(dropped.flatMap(({ tags }) => tags).filter((tag) => !left.has(tag)));
  const all = items(child(toCursor(root, 'openapi'), 'tags'));
  const tags = all.filter((tag) => !gone.has(text(child(tag, 'name')) ?? ''));
  if (tags.length === all.length) return root;
  for (const [index, { pointer }] of tags.entries()) {
    moved.set(toPointer('openapi#', 'tags', index), pointer);
  }
  return { ...root, tags: tags.map(({ value }) => value ?? null) };
}

/** Removes links to dropped operations, which would make the document invalid. */
function dropLinks(
  root: JsonObject,
  dropped: readonly Unit[],
  kept: ReadonlySet<Unit>,
): JsonObject {
  const idsOf = (units: Iterable<Unit>): ReadonlySet<string> =>
    new Set(
      [...units].flatMap(({ kind, names: [id] }) => (kind === 'operation' ? (id ?? []) : [])),
    );
  const there = idsOf(kept);
  const ids = new Set([...idsOf(dropped)].filter((id) => !there.has(id)));
  if (ids.size === 0) return root;
  const links: Pointer[] = [];
  for (const place of walk(toCursor(root, 'openapi'), 'document')) {
    if (place.kind !== 'link') continue;
    const link = follow(place);
    const reference = text(child(link, 'operationRef')) ?? '';
    const leadsNowhere = reference.startsWith('#/') && lookUp(link, reference).value === undefined;
    if (leadsNowhere || ids.has(text(child(link, 'operationId')) ?? '')) links.push(place.pointer);
  }
  return withoutPlaces(root, links);
}

function dropMessages(
  root: JsonObject,
  dropped: readonly Unit[],
  kept: ReadonlySet<Unit>,
  moved: Map<Pointer, Pointer>,
): JsonObject {
  const touched = new Set(
    dropped.flatMap(({ place }) => (place.section === 'operations' ? [place.key] : [])),
  );
  if (touched.size === 0) return root;
  const left = new Map<string, Cursor[]>();
  for (const { place } of kept) {
    if (place.section !== 'operations' || place.message === undefined) continue;
    left.set(place.key, [...(left.get(place.key) ?? []), place.message]);
  }
  const operations = entries(child(toCursor(root, 'asyncapi'), 'operations')).flatMap(
    ([key, written]): readonly [string, Json][] => {
      if (!touched.has(key)) return [[key, written.value ?? null]];
      const messages = left.get(key);
      if (messages === undefined) return [];
      const operation = follow(written);
      if (operation.pointer !== written.pointer) moved.set(written.pointer, operation.pointer);
      const list = messages.map((message, index) => {
        moved.set(toPointer(written.pointer, 'messages', index), message.pointer);
        return referenceOf(message) === undefined
          ? { $ref: message.pointer.slice(message.pointer.indexOf('#')) }
          : (message.value ?? null);
      });
      return [[key, { ...toObject(entries(operation)), messages: list }]];
    },
  );
  return { ...root, operations: Object.fromEntries(operations) };
}

function isMethod(member: string): boolean {
  return operationMethods.includes(member);
}

function toObject(members: readonly (readonly [string, Cursor])[]): JsonObject {
  return Object.fromEntries(members.map(([name, { value }]) => [name, value]));
}
