import type { DiagnosticCode } from '../diagnostics/catalogue.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import type { ValidatorCompiler } from '../schema/validator-compiler.ts';
import type { Contract } from '../contract/contract.ts';

/** The input of a rule that checks the OpenAPI and AsyncAPI documents of a contract. */
export interface RuleInput {
  readonly documents: Documents;
}

/** The input of a rule that checks the model. */
export interface ContractRuleInput extends RuleInput {
  readonly contract: Contract;
  /** Compiles the validators for examples. */
  readonly compiler: ValidatorCompiler;
}

/** A rule that a contract has to follow. It never throws, and skips malformed values, which other rules report. */
export interface Rule<Input = RuleInput, Code = DiagnosticCode> {
  /** Kebab-case; unique among the rules. */
  readonly name: string;
  /** All codes that its diagnostics can have. */
  readonly codes: readonly Code[];
  check(input: Input): Iterable<Diagnostic> | Promise<Iterable<Diagnostic>>;
}

/** A rule that checks the model. */
export type ContractRule = Rule<ContractRuleInput>;
