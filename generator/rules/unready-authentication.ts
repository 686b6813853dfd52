import { quote } from '../diagnostics/quote.ts';
import { proofsOf } from '../contract/authentication.ts';
import type { ContractRule } from './rule.ts';

/** Reports security schemes of notifications that generated receivers have no function for. */
export const unreadyAuthentication: ContractRule = {
  codes: ['unready-authentication'],
  *check({ contract }) {
    for (const { scheme, what, pointer, notification } of proofsOf(contract, 'unready'))
      yield {
        pointer,
        message: `${quote(notification)} is authenticated by ${quote(scheme)}, ${what}: generated receivers have no function that verifies it.`,
      };
  },
};
