import { runRules } from '../../rules/rules.ts';
import type { FrameFile } from '../../diagnostics/code-frame.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import type { ReadContract } from '../../read-contract.ts';
import { ValidatorCompiler } from '../../schema/validator-compiler.ts';
import { applySettings, type Settled } from './apply-settings.ts';
import { contractLintRules, documentLintRules } from './rules.ts';
import type { LintSettings } from '../../config/lint-settings.ts';

/**
 * Everything that can be said of a contract: what stops `generate` and what a reviewer would want to know, in the order
 * of files and lines. Rules about the model wait until the contract has no errors.
 * @param config the file of the settings; its path is shown as it is given
 * @param compiler the one that the contract was read with has compiled most of what examples need
 */
export async function lint(
  { documents, contract, diagnostics }: ReadContract,
  settings: LintSettings,
  config: FrameFile,
  compiler: ValidatorCompiler = new ValidatorCompiler(),
): Promise<Settled> {
  const found: Diagnostic[] = [...diagnostics];
  // A document that breaks its specification is not what a rule expects; what is wrong with it comes first.
  if (!hasErrors(documents.diagnostics)) {
    found.push(...withoutRepetition(diagnostics, await runRules(documentLintRules, { documents })));
  }
  if (contract !== undefined) {
    found.push(...(await runRules(contractLintRules, { documents, contract, compiler })));
  }
  // With errors, some rules were not checked: their exceptions may have an effect once the errors are corrected.
  const isComplete = contract !== undefined;
  const settled = applySettings(found, settings, config, isComplete);
  return { ...settled, diagnostics: sortDiagnostics(settled.diagnostics) };
}

/** Findings of Redocly that say in general what a rule of ours says of the same place. */
function withoutRepetition(
  known: readonly Diagnostic[],
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  const said = new Set(known.map(toFact));
  return found.filter((finding) => {
    const code = sameFact.get(finding.code);
    return code === undefined || !said.has(toFact({ ...finding, code }));
  });
}

const sameFact: ReadonlyMap<Diagnostic['code'], Diagnostic['code']> = new Map([
  ['redocly/spec-ref-siblings', 'dialect-difference'],
  ['redocly/no-ambiguous-paths', 'identical-paths'],
]);

function toFact({ code, file, line }: Diagnostic): string {
  return JSON.stringify([code, file, line]);
}
