import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { type ContractLintRule, createFinding } from '../rule.ts';

/**
 * Reports open ledger entries with choices that change nothing: nothing refers to the entry, and no choice has actions.
 * `generate` reports a settled one.
 */
export const ledgerEffects: ContractLintRule = {
  name: 'ledger-effects',
  codes: ['entry-without-effect'],
  *check({ contract, documents }): Iterable<Diagnostic> {
    for (const { id, pointer, choices, settled, usedBy } of contract.unstated) {
      const isOpen = choices.length > 0 && settled === undefined;
      if (!isOpen || usedBy.length > 0) continue;
      if (choices.some(({ changes = [] }) => changes.length > 0)) continue;
      const message = `No choice of ${quote(id)} changes the contract: nothing refers to the entry, and no choice has actions.`;
      yield createFinding(documents, 'entry-without-effect', pointer, message);
    }
  },
};
