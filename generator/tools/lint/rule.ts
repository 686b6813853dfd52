import type { ContractRuleInput, RuleInput } from '../../rules/rule.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { lintCatalogue, type LintCode } from '../../diagnostics/lint-catalogue.ts';
import type { Documents } from '../../load/documents.ts';
import type { Pointer } from '../../json/pointer.ts';

/** Something that a contract should keep, and that generation does not depend on. */
export interface LintRule<Input = RuleInput> {
  /** Kebab-case; unique among the rules. */
  readonly name: string;
  /** Every code that its findings can carry. */
  readonly codes: readonly LintCode[];
  check(input: Input): Iterable<Diagnostic> | Promise<Iterable<Diagnostic>>;
}

/** A rule that needs the finished model of a contract without errors. */
export type ContractLintRule = LintRule<ContractRuleInput>;

/** A finding about a place of a bundled document, located in the file where it was written. */
export function find(
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
