import type { DiagnosticCode } from '../diagnostics/catalogue.ts';
import type { Documents } from '../documents/documents.ts';
import type { Problem } from '../documents/diagnose.ts';
import type { ValidatorCompiler } from '../validators/validator-compiler.ts';
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

/** A problem that a rule has found. */
export interface Finding<Code = DiagnosticCode> extends Problem {
  /** One of the rule's codes; by default the first. */
  readonly code?: Code;
}

/** A rule that a contract has to follow. It never throws, and skips malformed values, which other rules report. */
export interface Rule<Input = RuleInput, Code = DiagnosticCode> {
  /** All codes that its findings can have. */
  readonly codes: readonly Code[];
  check(input: Input): Iterable<Finding<Code>> | Promise<Iterable<Finding<Code>>>;
}

/** A rule that checks the model. */
export type ContractRule = Rule<ContractRuleInput>;
