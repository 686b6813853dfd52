import { runRules } from '../../rules/rules.ts';
import type { FrameFile } from '../../diagnostics/code-frame.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import type { ReadContract } from '../../generate.ts';
import { ValidatorCompiler } from '../../validators/validator-compiler.ts';
import { applySettings, type LintResult } from './apply-settings.ts';
import { contractLintRules, documentLintRules } from './rules.ts';
import type { LintSettings } from '../../config/lint-settings.ts';

/**
 * Lints a contract. Returns the errors that stop `generate` and the findings of the lint rules, sorted by file and
 * line. Rules on the model run only if the contract has no errors.
 * @param config the file of the settings; its path is shown unchanged
 * @param compiler the compiler that read the contract; its cache has most of the schemas that examples need
 */
export async function lint(
  { documents, contract, diagnostics }: ReadContract,
  settings: LintSettings,
  config: FrameFile,
  compiler: ValidatorCompiler = new ValidatorCompiler(),
): Promise<LintResult> {
  const allDiagnostics: Diagnostic[] = [...diagnostics];
  // The rules expect documents that conform to their specification; other documents only report those errors.
  if (!hasErrors(documents.diagnostics)) {
    allDiagnostics.push(
      ...withoutRepetition(diagnostics, await runRules(documentLintRules, { documents })),
    );
  }
  if (contract !== undefined) {
    allDiagnostics.push(...(await runRules(contractLintRules, { documents, contract, compiler })));
  }
  // With errors, some rules were not checked: their exceptions may have an effect once the errors are corrected.
  const isComplete = contract !== undefined;
  const settled = applySettings(allDiagnostics, settings, config, isComplete);
  return { ...settled, diagnostics: sortDiagnostics(settled.diagnostics) };
}

/** Removes findings of Redocly that repeat a more specific diagnostic of the toolkit on the same line. */
function withoutRepetition(
  reported: readonly Diagnostic[],
  findings: readonly Diagnostic[],
): readonly Diagnostic[] {
  const said = new Set(reported.map(keyOfFact));
  return findings.filter((finding) => {
    const code = sameFact.get(finding.code);
    return code === undefined || !said.has(keyOfFact({ ...finding, code }));
  });
}

const sameFact: ReadonlyMap<Diagnostic['code'], Diagnostic['code']> = new Map([
  ['redocly/spec-ref-siblings', 'dialect-difference'],
  ['redocly/no-ambiguous-paths', 'identical-paths'],
]);

function keyOfFact({ code, file, line }: Diagnostic): string {
  return JSON.stringify([code, file, line]);
}
