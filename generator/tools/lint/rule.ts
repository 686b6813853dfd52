import type { ContractRuleInput, Rule, RuleInput } from '../../rules/rule.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { lintCatalogue, type LintCode } from '../../diagnostics/lint-catalogue.ts';
import type { Documents } from '../../load/documents.ts';
import type { Pointer } from '../../json/pointer.ts';

/** A lint rule. Generation does not depend on it. */
export type LintRule<Input = RuleInput> = Rule<Input, LintCode>;

/** A rule that needs the finished model of a contract without errors. */
export type ContractLintRule = LintRule<ContractRuleInput>;

/**
 * Creates a finding for a place of a bundled document. Its location is in the source file where the place is written.
 * @param help replaces the help of the catalogue
 */
export function createFinding(
  documents: Documents,
  code: LintCode,
  pointer: Pointer,
  message: string,
  help?: string,
): Diagnostic {
  const { severity, help: usual } = lintCatalogue[code];
  const { file, line, column } = documents.locate(pointer);
  return { code, severity, message, file, line, column, pointer, help: help ?? usual };
}
