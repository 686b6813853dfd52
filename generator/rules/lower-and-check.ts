import { type Diagnostic, hasErrors, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import type { Contract } from '../contract/contract.ts';
import { ValidatorCompiler } from '../schema/validator-compiler.ts';
import { lower } from '../contract/lower/lower.ts';
import type { Documents } from '../load/documents.ts';
import { examples } from './examples.ts';
import { loadPatternCheck } from './patterns.ts';
import type { VerdictStore } from '../schema/patterns/safe-pattern.ts';
import { contractRules, documentRules, runRules } from './rules.ts';

export interface CheckOptions {
  readonly perspective?: 'service' | 'integrator';
  /** Compiles the validators for examples. */
  readonly compiler?: ValidatorCompiler | undefined;
  /** The verdicts of earlier runs on patterns. */
  readonly verdicts?: VerdictStore | undefined;
  /**
   * Whether to return before the examples are checked, so that the caller can continue while worker threads check them.
   */
  readonly judgesLater?: boolean;
}

/** A contract and its diagnostics. If a diagnostic is an error, nothing may be generated. */
export interface CheckedContract {
  readonly contract: Contract;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics of the examples, with `judgesLater`. Without it, they are in `diagnostics`. */
  readonly judged?: Promise<readonly Diagnostic[]>;
}

/**
 * Creates the model of a contract from its bundled documents, and checks all rules of the contract. This step chooses
 * names, derives variants and applies settled ledger entries. It returns problems as diagnostics and does not throw
 * them.
 */
export async function lowerAndCheck(
  documents: Documents,
  options: CheckOptions = {},
): Promise<CheckedContract> {
  const { compiler = new ValidatorCompiler() } = options;
  const checkPattern = await loadPatternCheck(documents, options.verdicts);
  const diagnostics: Diagnostic[] = [...(await runRules(documentRules, { documents }))];
  const contract = lower(documents, options.perspective ?? 'service', checkPattern, diagnostics);
  // Examples are checked against schemas. With errors in the documents, that would produce misleading diagnostics.
  if (hasErrors(diagnostics) || hasErrors(documents.diagnostics)) {
    return { contract, diagnostics: sortDiagnostics(diagnostics) };
  }
  const input = { documents, contract, compiler };
  const judged = runRules([examples], input);
  // Prevents an unhandled rejection if the caller fails before it awaits the examples.
  judged.catch(() => undefined);
  diagnostics.push(...(await runRules(contractRules, input)));
  if (options.judgesLater === true && !hasErrors(diagnostics)) {
    return { contract, diagnostics: sortDiagnostics(diagnostics), judged };
  }
  return { contract, diagnostics: sortDiagnostics([...diagnostics, ...(await judged)]) };
}
