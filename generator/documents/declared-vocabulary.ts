import type { Documents } from './documents.ts';
import { pointerDocument, type PointerRoot } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { Place } from '../specification/walk.ts';
import { placesOf, rootsOf } from './places.ts';

/** Returns whether a document declares `x-countersign: 1`. */
export function usesVocabulary({ info }: JsonObject): boolean {
  return isJsonObject(info) && info['x-countersign'] === 1;
}

/** Returns the documents that declare `x-countersign: 1`. The vocabulary's keys have no effect in other documents. */
export function vocabularyDocuments(documents: Documents): readonly PointerRoot[] {
  return rootsOf(documents)
    .filter(({ root }) => usesVocabulary(root))
    .map(({ pointer }) => pointerDocument(pointer));
}

/** Returns the places of the documents that declare `x-countersign: 1`. */
export function vocabularyPlaces(documents: Documents): readonly Place[] {
  const names = vocabularyDocuments(documents);
  if (names.length === 0) return [];
  return placesOf(documents).filter(({ pointer }) => names.includes(pointerDocument(pointer)));
}
