import { once } from '../execution/memoize.ts';
import { type Cursor, toCursor } from '../json/cursor.ts';
import { type Place, walk } from '../specification/walk.ts';
import type { Documents } from './documents.ts';

/** The documents that could be read, as cursors. */
export function rootsOf(documents: Documents): readonly Cursor[] {
  const { openapi, asyncapi } = documents;
  return [
    ...(openapi === undefined ? [] : [toCursor(openapi.root, 'openapi')]),
    ...(asyncapi === undefined ? [] : [toCursor(asyncapi.root, 'asyncapi')]),
  ];
}

/**
 * Every object of both documents, parents first, in the author's order. References are not followed: each object
 * is met where it is written. Computed once for a pair of documents.
 */
export const placesOf: (documents: Documents) => readonly Place[] = once((documents) =>
  rootsOf(documents).flatMap((root) => [...walk(root, 'document')]),
);
