import { type Diagnostic, hasErrors, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import type { Contract } from '../contract/contract.ts';
import { ValidatorCompiler } from '../schema/validator-compiler.ts';
import { lower } from '../contract/lower/lower.ts';
import type { Documents } from '../load/documents.ts';
import { examples } from './examples.ts';
import { findSlowPatterns } from './patterns.ts';
import { contractRules, documentRules, runRules } from './rules.ts';

export interface CheckOptions {
  readonly perspective?: 'service' | 'integrator';
  /** Compiles the validators that examples are judged by. */
  readonly compiler?: ValidatorCompiler | undefined;
  /** Whether the examples are judged beside what the caller does next, which threads can do. */
  readonly judgesLater?: boolean;
}

/** A contract, and everything that is wrong with it; with errors among the diagnostics nothing may be generated. */
export interface CheckedContract {
  readonly contract: Contract;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics of the examples, with `judgesLater`; they are among the others without it. */
  readonly judged?: Promise<readonly Diagnostic[]>;
}

/**
 * Makes the one model of a contract from its bundled documents. Names are decided here, variants derived,
 * settled questions answered; every rule of the contract is checked. Problems are answered, never thrown.
 */
export async function lowerAndCheck(
  documents: Documents,
  options: CheckOptions = {},
): Promise<CheckedContract> {
  const { compiler = new ValidatorCompiler() } = options;
  const diagnostics: Diagnostic[] = [...(await runRules(documentRules, { documents }))];
  const slow = new Set((await findSlowPatterns(documents)).keys());
  const contract = lower(documents, options.perspective ?? 'service', slow, diagnostics);
  // Examples are judged by schemas; where these are broken, more would be said than is known.
  if (hasErrors(diagnostics) || hasErrors(documents.diagnostics)) {
    return { contract, diagnostics: sortDiagnostics(diagnostics) };
  }
  const input = { documents, contract, compiler };
  const judged = runRules([examples], input);
  // A caller that fails before it awaits the examples reports another error.
  judged.catch(() => undefined);
  diagnostics.push(...(await runRules(contractRules, input)));
  if (options.judgesLater === true && !hasErrors(diagnostics)) {
    return { contract, diagnostics: sortDiagnostics(diagnostics), judged };
  }
  return { contract, diagnostics: sortDiagnostics([...diagnostics, ...(await judged)]) };
}
