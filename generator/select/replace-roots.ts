import { Cursor } from '../json/cursor.ts';
import { type JsonObject, optional } from '../json/json.ts';
import {
  type DocumentName,
  type Pointer,
  pointerDocument,
  pointerMembers,
  toPointer,
} from '../json/pointer.ts';
import type { Documents, LoadedDocument } from '../documents/documents.ts';

/**
 * Returns documents with other roots. `locate` still returns the places in the original files.
 * @param replace returns the new root of a document. For each place that it moves, it adds the old place to `moved`
 * under the new one; this applies to everything below.
 */
export function replaceRoots(
  documents: Documents,
  replace: (root: Cursor, moved: Map<Pointer, Pointer>) => JsonObject,
): Documents {
  const moved = new Map<Pointer, Pointer>();
  const replaced = (name: DocumentName): LoadedDocument | undefined => {
    const document = documents[name];
    return (
      document && { ...document, root: replace(Cursor.ofDocument(document.root, name), moved) }
    );
  };
  return {
    ...documents,
    ...optional('openapi', replaced('openapi')),
    ...optional('asyncapi', replaced('asyncapi')),
    locate: (pointer) => documents.locate(toOriginal(pointer, moved)),
    cite: (pointer) => documents.cite(toOriginal(pointer, moved)),
  };
}

/** Returns the place of a pointer before objects were moved. */
export function toOriginal(pointer: Pointer, moved: ReadonlyMap<Pointer, Pointer>): Pointer {
  if (moved.size === 0) return pointer;
  const members = pointerMembers(pointer);
  for (let length = members.length; length > 0; length -= 1) {
    const place = toPointer(`${pointerDocument(pointer)}#`, ...members.slice(0, length));
    const original = moved.get(place);
    if (original !== undefined) return toPointer(original, ...members.slice(length));
  }
  return pointer;
}
