import { quote } from '../../../diagnostics/quote.ts';
import type { ContractLintRule } from '../rule.ts';

/**
 * Reports open ledger entries with choices that change nothing: nothing refers to the entry, and no choice has actions.
 * `generate` reports a settled one.
 */
export const ledgerEffects: ContractLintRule = {
  name: 'ledger-effects',
  codes: ['entry-without-effect'],
  *check({ contract }) {
    for (const { id, pointer, choices, settled, usedBy } of contract.unstated) {
      const isOpen = choices.length > 0 && settled === undefined;
      if (!isOpen || usedBy.length > 0) continue;
      if (choices.some(({ changes = [] }) => changes.length > 0)) continue;
      const message = `No choice of ${quote(id)} changes the contract: nothing refers to the entry, and no choice has actions.`;
      yield { pointer, message };
    }
  },
};
