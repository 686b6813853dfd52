import { memoize } from '../execution/memoize.ts';
import { Cursor } from '../json/cursor.ts';
import { type Pointer, pointerDocument, pointerMembers } from '../json/pointer.ts';
import type { ObjectKind } from '../specification/object-grammar.ts';
import { hasAny, type Place, walk } from '../specification/walk.ts';
import type { Documents } from './documents.ts';

/** Returns cursors to the documents that could be read. */
export function rootsOf(documents: Documents): readonly Cursor[] {
  const { openapi, asyncapi } = documents;
  return [
    ...(openapi === undefined ? [] : [Cursor.ofDocument(openapi.root, 'openapi')]),
    ...(asyncapi === undefined ? [] : [Cursor.ofDocument(asyncapi.root, 'asyncapi')]),
  ];
}

/** Returns a cursor to a place of a document. Its value is `undefined` if the document has no such place. */
export function cursorAt(documents: Documents, pointer: Pointer): Cursor {
  const name = pointerDocument(pointer);
  const root = Cursor.ofDocument(documents[name]?.root ?? {}, name);
  return root.child(...pointerMembers(pointer));
}

/**
 * Returns every object of both documents, or those of one kind, parents first, in the author's order. Does not follow
 * references: each object occurs where it is written.
 */
export function placesOf(documents: Documents, kind?: ObjectKind): readonly Place[] {
  const all = allPlaces(documents);
  return kind === undefined ? all : all.filter((place) => place.kind === kind);
}

/** Returns the object at a pointer; `undefined` where the documents have none. */
export function placeAt(documents: Documents, pointer: Pointer): Place | undefined {
  return placesByPointer(documents).get(pointer);
}

/** Returns every schema of both documents that has at least one of several keywords. */
export function schemasWith(
  documents: Documents,
  ...keywords: readonly string[]
): readonly Place[] {
  return placesOf(documents, 'schema').filter(({ value }) => hasAny(value, keywords));
}

const allPlaces = memoize((documents: Documents) =>
  rootsOf(documents).flatMap((root) => [...walk(root, 'document')]),
);

const placesByPointer = memoize(
  (documents: Documents) => new Map(allPlaces(documents).map((place) => [place.pointer, place])),
);
