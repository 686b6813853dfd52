import { pointerDocument } from '../json/pointer.ts';
import { child, text } from '../json/cursor.ts';
import { vocabularyPlaces } from '../load/declared-vocabulary.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { placesOf } from '../load/places.ts';

/** Checks that `x-access-token` names the operationId of an operation in the OpenAPI document. */
export const accessTokenOperation: Rule = {
  codes: ['undeclared-name'],
  *check({ documents }) {
    const ids = placesOf(documents, 'operation')
      .filter(({ pointer }) => pointerDocument(pointer) === 'openapi')
      .flatMap((operation) => text(child(operation, 'operationId')) ?? []);
    for (const scheme of vocabularyPlaces(documents)) {
      if (scheme.kind !== 'security-scheme') continue;
      const at = child(scheme, 'x-access-token', 'operation');
      const id = text(at);
      if (id === undefined || ids.includes(id)) continue;
      yield {
        pointer: at.pointer,
        message: `No operation has the operationId ${quote(id)}.`,
        help: didYouMean(id, ids),
      };
    }
  },
};
