import { vocabularyPlaces } from '../../../documents/declared-vocabulary.ts';
import { sourceDocumentOf } from '../../../rules/source-document.ts';
import type { LintRule } from '../rule.ts';

/** Reports a contract that cites sections without naming the source document. */
export const sourceDocument: LintRule = {
  codes: ['unnamed-source-document'],
  *check({ documents }) {
    if (sourceDocumentOf(documents) !== undefined) return;
    const citing = vocabularyPlaces(documents).find(
      (place) => place.valueIn('x-source') !== undefined,
    );
    if (citing === undefined) return;
    yield {
      pointer: citing.child('x-source').pointer,
      message: 'The contract cites sections with `x-source`, but does not name their document.',
    };
  },
};
