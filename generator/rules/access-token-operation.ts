import { pointerDocument } from '../json/pointer.ts';
import { vocabularyPlaces } from '../documents/declared-vocabulary.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { NameIndex } from '../diagnostics/name-index.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { placesOf } from '../documents/places.ts';

/** Checks that `x-access-token` names the operationId of an operation in the OpenAPI document. */
export const accessTokenOperation: Rule = {
  codes: ['undeclared-name'],
  *check({ documents }) {
    const ids = new Set(
      placesOf(documents, 'operation')
        .filter(({ pointer }) => pointerDocument(pointer) === 'openapi')
        .flatMap((operation) => operation.text('operationId') ?? []),
    );
    const names = new NameIndex(ids);
    for (const scheme of vocabularyPlaces(documents)) {
      if (scheme.kind !== 'security-scheme') continue;
      const at = scheme.child('x-access-token', 'operation');
      const id = at.text();
      if (id === undefined || ids.has(id)) continue;
      yield {
        pointer: at.pointer,
        message: `No operation has the operationId ${quote(id)}.`,
        help: didYouMean(id, names),
      };
    }
  },
};
