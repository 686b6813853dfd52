import type { Contract } from '../../generator/contract/contract.ts';
import { lower } from '../../generator/contract/lower/lower.ts';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import type { Documents } from '../../generator/documents/documents.ts';
import { check } from '../../generator/rules/check.ts';
import { loadPatternCheck } from '../../generator/contract/pattern-check.ts';

/** A model and the diagnostics about it. */
export interface LoweredAndChecked {
  readonly contract: Contract;
  readonly diagnostics: readonly Diagnostic[];
}

/** Runs the stages lower and check on loaded documents. Returns the diagnostics of these stages alone. */
export async function lowerAndCheck(
  documents: Documents,
  perspective: 'service' | 'integrator' = 'service',
): Promise<LoweredAndChecked> {
  const checkPattern = await loadPatternCheck(documents);
  const lowered = lower(documents, { perspective, version: '1.0.0' }, checkPattern);
  const { diagnostics } = await check(documents, lowered);
  const loadDiagnostics = new Set(documents.diagnostics);
  return {
    contract: lowered.contract,
    diagnostics: diagnostics.filter((diagnostic) => !loadDiagnostics.has(diagnostic)),
  };
}
