import { pointerDocument } from '../json/pointer.ts';
import { vocabularyDocuments } from '../documents/declared-vocabulary.ts';
import type { Documents } from '../documents/documents.ts';
import { rootsOf } from '../documents/places.ts';

/** Returns the name of the source document (`info.x-source-document`) of the first document that names one. */
export function sourceDocumentOf(documents: Documents): string | undefined {
  const declaring = vocabularyDocuments(documents);
  return rootsOf(documents)
    .filter(({ pointer }) => declaring.includes(pointerDocument(pointer)))
    .map((root) => root.text('info', 'x-source-document'))
    .find((name) => name !== undefined);
}
