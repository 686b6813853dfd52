import { once } from '../execution/memoize.ts';
import { type Cursor, toCursor } from '../json/cursor.ts';
import { type Place, walk } from '../specification/walk.ts';
import type { Documents } from './documents.ts';

/** Returns cursors to the documents that could be read. */
export function rootsOf(documents: Documents): readonly Cursor[] {
  const { openapi, asyncapi } = documents;
  return [
    ...(openapi === undefined ? [] : [toCursor(openapi.root, 'openapi')]),
    ...(asyncapi === undefined ? [] : [toCursor(asyncapi.root, 'asyncapi')]),
  ];
}

/**
 * Returns every object of both documents, parents first, in the author's order. Does not follow references: each object
 * occurs where it is written. The result is computed once for each pair of documents.
 */
export const placesOf: (documents: Documents) => readonly Place[] = once((documents) =>
  rootsOf(documents).flatMap((root) => [...walk(root, 'document')]),
);
