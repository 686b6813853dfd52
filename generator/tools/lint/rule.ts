import type { LintCode } from '../../diagnostics/lint-catalogue.ts';
import type { ContractRuleInput, Finding, Rule, RuleInput } from '../../rules/rule.ts';

/** A lint rule. Generation does not depend on it. */
export type LintRule = Rule<RuleInput, LintCode>;

/** A problem that a lint rule has found. */
export type LintFinding = Finding<LintCode>;

/** A rule that needs the finished model of a contract without errors. */
export type ContractLintRule = Rule<ContractRuleInput, LintCode>;
