import { childOf, referenceOf } from './descend.ts';
import { isJsonObject, type Json, type JsonObject, textsIn } from './json.ts';
import {
  decodeReference,
  pointerMembers,
  toMember,
  type Pointer,
  type PointerRoot,
} from './pointer.ts';

/** A value in a bundled document with its place. A cursor to a missing member has the value `undefined`. */
export interface Cursor {
  readonly root: JsonObject;
  readonly pointer: Pointer;
  readonly value: Json | undefined;
}

export function toCursor(root: JsonObject, document: PointerRoot): Cursor {
  return { root, pointer: `${document}#`, value: root };
}

/**
 * Returns a cursor to a member of an object, or to an item of an array. Reads only own members, never the prototype's.
 */
export function child(cursor: Cursor, ...members: readonly (string | number)[]): Cursor {
  let { pointer, value } = cursor;
  for (const member of members) {
    value = childOf(value, String(member));
    pointer = toMember(pointer, member);
  }
  return { root: cursor.root, pointer, value };
}

/** Returns the value of a member without creating a cursor. */
export function valueIn(cursor: Cursor, member: string): Json | undefined {
  return childOf(cursor.value, member);
}

/** Returns the members of an object in the author's order; none if the value is not an object. */
export function entries(cursor: Cursor): readonly (readonly [string, Cursor])[] {
  const { root, pointer, value } = cursor;
  if (!isJsonObject(value)) return [];
  return Object.keys(value).map(
    (name) => [name, { root, pointer: toMember(pointer, name), value: value[name] }] as const,
  );
}

/** Returns the items of an array; none if the value is not an array. */
export function items(cursor: Cursor): readonly Cursor[] {
  const { root, pointer, value } = cursor;
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).map((item, index) => ({
    root,
    pointer: toMember(pointer, index),
    value: item,
  }));
}

/** Yields a value and every value in it, at any depth, in the author's order. Neither deep nor wide values overflow the stack. */
export function* cursorsIn(root: Cursor): Generator<Cursor> {
  const open = [root];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    yield at;
    const members = [...items(at), ...entries(at).map(([, member]) => member)];
    // One by one: a call with hundreds of thousands of arguments overflows the stack.
    for (const member of members.toReversed()) open.push(member);
  }
}

/** Returns the items of an array. Any other value is a list of one. */
export function listed(cursor: Cursor): readonly Cursor[] {
  return Array.isArray(cursor.value) ? items(cursor) : [cursor];
}

/**
 * Follows a chain of local `$ref`s to its target. The value is `undefined` if a reference is unresolved or circular.
 */
export function follow(cursor: Cursor): Cursor {
  let here = cursor;
  const seen = new Set<string>();
  for (;;) {
    const reference = localReference(here);
    if (reference === undefined) return here;
    if (seen.has(reference)) return { ...here, value: undefined };
    seen.add(reference);
    here = lookUp(here, reference);
  }
}

/** Returns the local `$ref` of an object, such as `#/components/schemas/Charge`. */
export function localReference(cursor: Cursor): string | undefined {
  const reference = referenceOf(cursor.value);
  return reference?.startsWith('#') === true ? reference : undefined;
}

/** Returns the place that a local `$ref` names. */
export function lookUp(cursor: Cursor, reference: string): Cursor {
  const document = cursor.pointer.slice(0, cursor.pointer.indexOf('#')) as PointerRoot;
  const start = toCursor(cursor.root, document);
  return child(start, ...pointerMembers(decodeReference(reference)));
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

/** Returns the `x-source` and, where it has any, the `x-note` of an object, each as a list. */
export function annotationsOf(cursor: Cursor): {
  readonly source: readonly string[];
  readonly notes?: readonly string[];
} {
  const notes = textsIn(valueIn(cursor, 'x-note'));
  return {
    source: textsIn(valueIn(cursor, 'x-source')),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/**
 * Returns an object with one member, or an empty object if the value is `undefined`. Spread it into objects that omit
 * optional members.
 */
export function optional<K extends string, V>(
  key: K,
  value: V | undefined,
): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

/** Returns the texts of several members, each from the first object that has it. Leaves out those that none has. */
export function optionalTexts<K extends string>(
  members: readonly K[],
  ...objects: readonly Cursor[]
): { readonly [P in K]?: string } {
  const found = members.flatMap((member) => {
    const value = objects.map((at) => text(child(at, member))).find((one) => one !== undefined);
    return value === undefined ? [] : [[member, value] as const];
  });
  return Object.fromEntries(found) as { readonly [P in K]?: string };
}
