import { quote } from '../diagnostics/quote.ts';
import { unreadySchemes } from '../contract/notification-proof.ts';
import type { ContractRule } from './rule.ts';

/** Reports security schemes of notifications that generated receivers have no function for. */
export const unreadyAuthentication: ContractRule = {
  codes: ['unready-authentication'],
  *check({ contract }) {
    for (const { id, what, security, notification } of unreadySchemes(contract))
      yield {
        pointer: security?.pointer ?? notification.pointer,
        message: `${quote(notification.id)} is authenticated by ${quote(id)}, ${what}: generated receivers have no function that verifies it.`,
      };
  },
};
