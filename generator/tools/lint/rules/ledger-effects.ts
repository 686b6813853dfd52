import { quote } from '../../../diagnostics/quote.ts';
import { presumedIds } from '../../../documents/unstated-entries.ts';
import type { ContractLintRule } from '../rule.ts';

/**
 * Reports open ledger entries with choices that change nothing: nothing refers to the entry, no example presumes an
 * answer, and no action of a choice selects a place.
 * `generate` reports a settled one.
 */
export const ledgerEffects: ContractLintRule = {
  codes: ['entry-without-effect'],
  *check({ contract, documents }) {
    const presumed = presumedIds(documents);
    for (const { id, pointer, choices, settled, usedBy, affects } of contract.unstated) {
      const isOpen = choices.length > 0 && settled === undefined;
      if (!isOpen || usedBy.length + affects.length > 0 || presumed.has(id)) continue;
      const message = `No choice of ${quote(id)} changes the contract: nothing refers to the entry, and no action of a choice selects a place.`;
      yield { pointer, message };
    }
  },
};
