import { child, text } from '../../../json/cursor.ts';
import { vocabularyDocuments, vocabularyPlaces } from '../../../load/declared-vocabulary.ts';
import { rootsOf } from '../../../load/places.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Documents } from '../../../load/documents.ts';
import { pointerDocument } from '../../../json/pointer.ts';
import { type LintRule, find } from '../rule.ts';

/** Reports a contract that cites sections without naming the source document. */
export const sourceDocument: LintRule = {
  name: 'source-document',
  codes: ['unnamed-source-document'],
  *check({ documents }): Iterable<Diagnostic> {
    if (namedSource(documents) !== undefined) return;
    const citing = vocabularyPlaces(documents).find(
      (place) => child(place, 'x-source').value !== undefined,
    );
    if (citing === undefined) return;
    yield find(
      documents,
      'unnamed-source-document',
      child(citing, 'x-source').pointer,
      'The contract cites sections, here for the first time, and names no document that has them.',
    );
  },
};

/** Returns the name of the source document (`info.x-source-document`) of the first document that names one. */
export function namedSource(documents: Documents): string | undefined {
  const declaring = vocabularyDocuments(documents);
  return rootsOf(documents)
    .filter(({ pointer }) => declaring.includes(pointerDocument(pointer)))
    .map((root) => text(child(root, 'info', 'x-source-document')))
    .find((name) => name !== undefined);
}
