import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import { type Pointer, pointerDocument, toMember } from '../json/pointer.ts';
import { type Cursor, valueIn } from '../json/cursor.ts';
import {
  type Grammar,
  type Holder,
  type PlaceKind,
  asyncapiGrammar,
  openapiGrammar,
} from './specification-objects.ts';

/** An object of a document, with its kind in the specification. */
export interface Place extends Cursor {
  readonly kind: PlaceKind;
  readonly value: JsonObject;
  /** The member of the parent that holds it, such as `properties`. Empty for the object where the walk starts. */
  readonly member: string;
  /**
   * Its name if `member` is a map with names from the contract, its index in a list, otherwise the same as `member`.
   */
  readonly key: string;
  readonly parent: Place | undefined;
}

/**
 * Yields the object at a cursor and all objects below it. Yields nothing if the value is not an object.
 * @param kind the kind of the object at the cursor
 */
export function* walk(start: Cursor, kind: PlaceKind): Generator<Place> {
  const grammar = pointerDocument(start.pointer) === 'openapi' ? openapiGrammar : asyncapiGrammar;
  const stack: Place[] = [];
  if (isJsonObject(start.value)) {
    const { root, pointer, value } = start;
    stack.push(withKind({ root, pointer, value, kind, member: '', key: '', parent: undefined }));
  }
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    yield place;
    const below = childrenOf(place, grammar);
    for (let child = below.pop(); child !== undefined; child = below.pop()) stack.push(child);
  }
}

/** Returns whether an object has at least one of several own members. */
export function hasAny(object: JsonObject, members: readonly string[]): boolean {
  for (const member of members) if (Object.hasOwn(object, member)) return true;
  return false;
}

/** Returns whether an object has a `$ref`, like a Reference Object. */
export function isReference(place: Cursor): boolean {
  return isJsonObject(place.value) && typeof valueIn(place, '$ref') === 'string';
}

/**
 * Returns the objects directly below an object, in the author's order. Creates pointers only for these, because most
 * members hold no object.
 */
function childrenOf(place: Place, grammar: Grammar): Place[] {
  const rules = grammar.get(place.kind);
  if (rules === undefined) return [];
  if (place.kind === 'multi-format-schema' && !isJsonSchemaFormat(place)) return [];
  const found: Place[] = [];
  for (const member of Object.keys(place.value)) {
    const value = place.value[member];
    if (typeof value !== 'object' || value === null) continue;
    const holder = rules.members.get(member);
    if (holder !== undefined) {
      addHeld(found, place, member, value, holder);
    } else if (rules.others !== undefined && !member.startsWith('x-')) {
      const pointer = toMember(place.pointer, member);
      addPlace(found, place, pointer, value, rules.others, member, member);
    }
  }
  return found;
}

function addHeld(
  found: Place[],
  parent: Place,
  member: string,
  value: Json,
  { shape, kind }: Holder,
): void {
  const pointer = toMember(parent.pointer, member);
  const add = (of: Json | undefined, key: string): void =>
    addPlace(found, parent, toMember(pointer, key), of, kind, member, key);
  if (shape === 'map') {
    if (isJsonObject(value)) for (const key of Object.keys(value)) add(value[key], key);
  } else if (shape === 'list' || (shape === 'one-or-list' && Array.isArray(value))) {
    if (!Array.isArray(value)) return;
    for (const [index, item] of (value as readonly Json[]).entries()) add(item, String(index));
  } else {
    addPlace(found, parent, pointer, value, kind, member, member);
  }
}

function addPlace(
  found: Place[],
  parent: Place,
  pointer: Pointer,
  value: Json | undefined,
  kind: PlaceKind,
  member: string,
  key: string,
): void {
  if (!isJsonObject(value)) return;
  found.push(withKind({ root: parent.root, pointer, value, kind, member, key, parent }));
}

function withKind(place: Place): Place {
  return isMultiFormat(place) ? { ...place, kind: 'multi-format-schema' } : place;
}

/**
 * Returns whether an object is AsyncAPI's Multi Format Schema Object, which payloads, headers and component schemas can
 * be.
 */
function isMultiFormat(place: Place): boolean {
  return (
    place.kind === 'schema' &&
    place.parent?.kind !== 'schema' &&
    pointerDocument(place.pointer) === 'asyncapi' &&
    typeof valueIn(place, 'schemaFormat') === 'string'
  );
}

function isJsonSchemaFormat(place: Place): boolean {
  const format = valueIn(place, 'schemaFormat');
  if (typeof format !== 'string') return false;
  return /^application\/(?:vnd\.aai\.asyncapi|vnd\.oai\.openapi|schema)(?:[+;]|$)/.test(format);
}
