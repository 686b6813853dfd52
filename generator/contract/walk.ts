import { isJsonObject, type JsonObject } from '../json.ts';
import type { Documents } from '../load/documents.ts';
import { pointerDocument } from '../pointer.ts';
import { child, entries, items, text, toCursor, type Cursor } from './cursor.ts';
import {
  asyncapiGrammar,
  openapiGrammar,
  type Grammar,
  type Holder,
  type PlaceKind,
} from './specification-objects.ts';

/** An object of a document, and what the specification takes it for. */
export interface Place extends Cursor {
  readonly kind: PlaceKind;
  readonly value: JsonObject;
  /** The member of the parent that holds it, such as `properties`; empty for the document. */
  readonly member: string;
  /** Its own name in that member where the contract chooses names, its index in a list, else the member again. */
  readonly key: string;
  readonly parent: Place | undefined;
}

/**
 * Every object of both documents, parents first, in the author's order. References are not followed: each object
 * is met where it is written. Computed once for a pair of documents.
 */
export function placesOf(documents: Documents): readonly Place[] {
  const known = cache.get(documents);
  if (known !== undefined) return known;
  const places = [...rootsOf(documents)].flatMap((root) => [...walk(root, 'document')]);
  cache.set(documents, places);
  return places;
}

const cache = new WeakMap<Documents, readonly Place[]>();

/** The documents that could be read, as cursors. */
export function rootsOf(documents: Documents): readonly Cursor[] {
  const { openapi, asyncapi } = documents;
  return [
    ...(openapi === undefined ? [] : [toCursor(openapi.root, 'openapi')]),
    ...(asyncapi === undefined ? [] : [toCursor(asyncapi.root, 'asyncapi')]),
  ];
}

/** The places at and below a cursor that stands for an object of the given kind; none where it is no object. */
export function* walk(start: Cursor, kind: PlaceKind): Generator<Place> {
  const grammar = pointerDocument(start.pointer) === 'openapi' ? openapiGrammar : asyncapiGrammar;
  const stack: Place[] = [];
  const first = toPlace(start, kind, '', '', undefined);
  if (first !== undefined) stack.push(first);
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    yield place;
    for (const below of childrenOf(place, grammar).toReversed()) stack.push(below);
  }
}

/** Whether the object only refers to another one, as a Reference Object does. */
export function isReference(place: Cursor): boolean {
  return isJsonObject(place.value) && typeof child(place, '$ref').value === 'string';
}

function childrenOf(place: Place, grammar: Grammar): Place[] {
  const rules = grammar.get(place.kind);
  if (rules === undefined) return [];
  if (place.kind === 'multi-format-schema' && !isJsonSchemaFormat(place)) return [];
  return entries(place).flatMap(([member, at]) => {
    const holder = rules.members.get(member);
    if (holder !== undefined) return held(place, member, at, holder);
    if (rules.others === undefined || member.startsWith('x-')) return [];
    return toPlace(at, rules.others, member, member, place) ?? [];
  });
}

function held(parent: Place, member: string, at: Cursor, { shape, kind }: Holder): Place[] {
  if (shape === 'map') {
    return entries(at).flatMap(([key, item]) => toPlace(item, kind, member, key, parent) ?? []);
  }
  if (shape === 'list' || (shape === 'one-or-list' && Array.isArray(at.value))) {
    return items(at).flatMap(
      (item, index) => toPlace(item, kind, member, String(index), parent) ?? [],
    );
  }
  const place = toPlace(at, kind, member, member, parent);
  return place === undefined ? [] : [place];
}

function toPlace(
  { root, pointer, value }: Cursor,
  kind: PlaceKind,
  member: string,
  key: string,
  parent: Place | undefined,
): Place | undefined {
  if (!isJsonObject(value)) return undefined;
  const place: Place = { root, pointer, value, kind, member, key, parent };
  return isMultiFormat(place) ? { ...place, kind: 'multi-format-schema' } : place;
}

/** AsyncAPI's payloads, headers and component schemas may name their dialect beside the schema. */
function isMultiFormat(place: Place): boolean {
  return (
    place.kind === 'schema' &&
    place.parent?.kind !== 'schema' &&
    pointerDocument(place.pointer) === 'asyncapi' &&
    text(child(place, 'schemaFormat')) !== undefined
  );
}

function isJsonSchemaFormat(place: Place): boolean {
  const format = text(child(place, 'schemaFormat')) ?? '';
  return /^application\/(?:vnd\.aai\.asyncapi|vnd\.oai\.openapi|schema)(?:[+;]|$)/.test(format);
}
