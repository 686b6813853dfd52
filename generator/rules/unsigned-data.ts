import { signaturesWithout } from '../contract/signature-cover.ts';
import { listTexts } from '../diagnostics/list-texts.ts';
import { quote } from '../diagnostics/quote.ts';
import type { ContractRule } from './rule.ts';

/** Reports notifications with data in the query or the body that their signature does not cover. */
export const unsignedData: ContractRule = {
  codes: ['unsigned-data'],
  *check({ contract }) {
    for (const notification of contract.notifications) {
      const { id, pointer, encoding } = notification;
      const isQuery = encoding === 'query';
      const names = signaturesWithout(contract, notification, isQuery ? { query: '' } : 'raw');
      // A signature in the body covers a part of it, which another rule checks.
      const isPartly = contract.security.some(
        (scheme) => scheme.bodySignature !== undefined && names.includes(scheme.id),
      );
      if (names.length === 0 || (isPartly && !isQuery)) continue;
      yield {
        pointer,
        message: `The data of ${quote(id)} is in the ${isQuery ? 'query' : 'body'}, which the signature ${listTexts(names.map(quote), 'and')} does not cover: a captured delivery can be sent again with other data.`,
      };
    }
  },
};
