import type { DiagnosticCode } from '../diagnostics/catalogue.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import type { ValidatorCompiler } from '../schema/validator-compiler.ts';
import type { Contract } from '../contract/contract.ts';

/** What a rule about the written documents may look at. */
export interface RuleInput {
  readonly documents: Documents;
}

/** What a rule about the finished model may look at. */
export interface ContractRuleInput extends RuleInput {
  readonly contract: Contract;
  /** Compiles the validators that examples are judged by. */
  readonly compiler: ValidatorCompiler;
}

/** Something a contract has to keep. A rule never throws: it passes over what is ill-formed, which others report. */
export interface Rule<Input = RuleInput> {
  /** Kebab-case; unique among the rules. */
  readonly name: string;
  /** Every code that its diagnostics can carry. */
  readonly codes: readonly DiagnosticCode[];
  check(input: Input): Iterable<Diagnostic> | Promise<Iterable<Diagnostic>>;
}

/** A rule that needs the finished model. */
export type ContractRule = Rule<ContractRuleInput>;
