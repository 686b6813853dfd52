import type { Contract } from '../contract/contract.ts';
import { validatedSchemas } from '../contract/validated-schemas.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../documents/documents.ts';
import { ValidatorCompiler } from '../validators/validator-compiler.ts';
import { planValidators } from '../validators/validator-units.ts';
import { examples } from './examples.ts';
import { contractRules, documentRules, runRules } from './rules.ts';

export interface CheckOptions {
  /** Compiles the validators for examples. */
  readonly compiler?: ValidatorCompiler | undefined;
  /**
   * Whether to return before the examples are checked, so that the caller can continue while worker threads check them.
   */
  readonly examplesLater?: boolean | undefined;
}

/** The diagnostics of a contract. If one is an error, nothing may be generated. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  /** With `examplesLater`, the diagnostics of the examples, unless there are other errors. */
  readonly examples?: Promise<readonly Diagnostic[]>;
}

/**
 * Checks all rules about a contract. Rules about the model and examples are checked only if the documents have no
 * errors, which would cause misleading diagnostics.
 * @param lowered the model of the documents, with the diagnostics from creating it
 */
export async function check(
  documents: Documents,
  lowered: { readonly contract: Contract; readonly diagnostics: readonly Diagnostic[] },
  options: CheckOptions = {},
): Promise<Checked> {
  const { compiler = new ValidatorCompiler(), examplesLater = false } = options;
  // The rules below do not change the model. If they find an error, the work of the thread was in vain.
  if (!hasErrors([...documents.diagnostics, ...lowered.diagnostics]))
    compiler.compileAhead(planValidators(validatedSchemas(lowered.contract)));
  const diagnostics = [
    ...documents.diagnostics,
    ...(await runRules(Object.values(documentRules), { documents })),
    ...lowered.diagnostics,
  ];
  if (hasErrors(diagnostics)) return { diagnostics: sortDiagnostics(diagnostics) };
  const input = { documents, contract: lowered.contract, compiler };
  const judged = runRules([examples], input);
  // Prevents an unhandled rejection if the caller fails before it awaits the examples.
  judged.catch(() => undefined);
  diagnostics.push(...(await runRules(Object.values(contractRules), input)));
  return examplesLater && !hasErrors(diagnostics)
    ? { diagnostics: sortDiagnostics(diagnostics), examples: judged }
    : { diagnostics: sortDiagnostics([...diagnostics, ...(await judged)]) };
}
