import { signaturesWithout } from '../contract/signature-cover.ts';
import { listTexts } from '../diagnostics/list-texts.ts';
import { quote } from '../diagnostics/quote.ts';
import type { ContractRule } from './rule.ts';

/** Reports notifications with data in the query that their signature does not cover. */
export const unsignedData: ContractRule = {
  codes: ['unsigned-data'],
  *check({ contract }) {
    for (const notification of contract.notifications) {
      const { id, pointer, encoding } = notification;
      if (encoding !== 'query') continue;
      const names = signaturesWithout(contract, notification, { query: '' });
      if (names.length === 0) continue;
      yield {
        pointer,
        message: `The data of ${quote(id)} is in the query, which the signature ${listTexts(names.map(quote), 'and')} does not cover: a captured delivery can be sent again with other data.`,
      };
    }
  },
};
