import type { Contract, SecurityScheme } from '../../../contract/contract.ts';
import { entriesAt } from '../../../contract/ledger-entries.ts';
import type { Code } from '../../code.ts';
import { jsdoc } from '../../jsdoc.ts';

/** A description with the comment of its function. */
export type Documented<Description> = Description & { readonly about: Code };

/** Adds the comment of a strategy, with what the contract writes about its scheme. */
export function document<Description extends { readonly security: SecurityScheme }>(
  contract: Contract,
  description: Description,
  summary: string,
  warning?: string,
): Documented<Description> {
  const { security } = description;
  return {
    ...description,
    about: jsdoc({
      summary,
      description: [security.description, warning].filter(Boolean).join('\n\n'),
      questions: entriesAt(contract, security.pointer),
      source: security.source,
      sourceDocument: contract.info.sourceDocument,
    }),
  };
}
