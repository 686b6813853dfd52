import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { pointerMembers, toPointer, type DocumentName, type Pointer } from '../pointer.ts';

/** A value in a bundled document that knows where it stands. A missing member is a cursor whose value is `undefined`. */
export interface Cursor {
  readonly root: JsonObject;
  readonly pointer: Pointer;
  readonly value: Json | undefined;
}

export function toCursor(root: JsonObject, document: DocumentName): Cursor {
  return { root, pointer: `${document}#`, value: root };
}

/** The member of an object or the item of an array; a name from the contract never reaches a prototype. */
export function child(cursor: Cursor, ...members: readonly (string | number)[]): Cursor {
  let value: Json | undefined = cursor.value;
  for (const member of members) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(member)];
    else if (isJsonObject(value) && Object.hasOwn(value, member)) value = value[member];
    else value = undefined;
  }
  return { root: cursor.root, pointer: toPointer(cursor.pointer, ...members), value };
}

/** The members of an object in the author's order; none where the value is no object. */
export function entries(cursor: Cursor): readonly (readonly [string, Cursor])[] {
  if (!isJsonObject(cursor.value)) return [];
  return Object.keys(cursor.value).map((name) => [name, child(cursor, name)] as const);
}

/** The items of an array; none where the value is no array. */
export function items(cursor: Cursor): readonly Cursor[] {
  if (!Array.isArray(cursor.value)) return [];
  return (cursor.value as readonly Json[]).map((_, index) => child(cursor, index));
}

/** Where a chain of local `$ref`s ends; a reference that leads nowhere or in a circle ends as `undefined`. */
export function follow(cursor: Cursor): Cursor {
  let here = cursor;
  const seen = new Set<string>();
  for (;;) {
    const reference = referenceOf(here);
    if (reference === undefined) return here;
    if (seen.has(reference)) return { ...here, value: undefined };
    seen.add(reference);
    here = lookUp(here, reference);
  }
}

/** The local `$ref` of an object, such as `#/components/schemas/Charge`. */
export function referenceOf(cursor: Cursor): string | undefined {
  if (!isJsonObject(cursor.value) || !Object.hasOwn(cursor.value, '$ref')) return undefined;
  const reference = cursor.value['$ref'];
  return typeof reference === 'string' && reference.startsWith('#') ? reference : undefined;
}

/** The place a local `$ref` names. */
export function lookUp(cursor: Cursor, reference: string): Cursor {
  const document = cursor.pointer.slice(0, cursor.pointer.indexOf('#')) as DocumentName;
  const start = toCursor(cursor.root, document);
  return child(start, ...pointerMembers(decodeFragment(reference)));
}

export function text(cursor: Cursor): string | undefined {
  return typeof cursor.value === 'string' ? cursor.value : undefined;
}

export function isTrue(cursor: Cursor): boolean {
  return cursor.value === true;
}

export function texts(cursor: Cursor): readonly string[] {
  return items(cursor).flatMap((item) => text(item) ?? []);
}

/** `x-source` of an object, as a list. */
export function sourceOf(cursor: Cursor): readonly string[] {
  const source = child(cursor, 'x-source');
  const single = text(source);
  return single === undefined ? texts(source) : [single];
}

/** Members that are set, for objects whose optional members are left out rather than undefined. */
export function optional<K extends string, V>(
  key: K,
  value: V | undefined,
): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

function decodeFragment(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
