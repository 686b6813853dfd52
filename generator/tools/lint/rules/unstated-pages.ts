import { describePagination, proposePagination } from '../../../contract/proposed-pagination.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { ContractLintRule } from '../rule.ts';

/** Reports calls that return a list, and take what requests another page, without a statement how the list goes on. */
export const unstatedPages: ContractLintRule = {
  codes: ['unstated-pagination'],
  *check({ contract }) {
    for (const operation of contract.operations) {
      const proposed = proposePagination(contract, operation);
      if (proposed === undefined) continue;
      const { id, pointer } = operation;
      yield {
        pointer,
        message: `The operation ${quote(id)} seems to return one page of a list, and has no \`x-pagination\`.`,
        help: `Add it, also by an overlay: \`${describePagination(proposed)}\`. Compare this guess with the service's documentation.`,
      };
    }
  },
};
