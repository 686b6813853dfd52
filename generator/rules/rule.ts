import type { DiagnosticCode } from '../diagnostics/catalogue.ts';
import {
  createDiagnostic,
  createMendedDiagnostic,
  type Diagnostic,
} from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import { pointerDocument, type Pointer } from '../json/pointer.ts';
import type { ValidatorCompiler } from '../schema/validator-compiler.ts';
import type { Contract } from '../contract/contract.ts';
import { vocabularyDocuments } from '../load/declared-vocabulary.ts';

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

/** A diagnostic about a place of a bundled document, located in the file where it was written. */
export function diagnose(
  documents: Documents,
  code: DiagnosticCode,
  pointer: Pointer,
  message: string,
  help?: string,
): Diagnostic {
  const more = help === undefined ? { pointer } : { pointer, help };
  return createDiagnostic(code, message, documents.locate(pointer), more);
}

/**
 * Makes a diagnostic about something that is wrong and whose meaning is safe to guess. It is an error in a document that
 * uses the vocabulary. In one that was written for other tools it is a warning, and `until` says how it is read.
 */
export function diagnoseMended(
  documents: Documents,
  code: DiagnosticCode,
  pointer: Pointer,
  message: string,
  until: string,
  help?: string,
): Diagnostic {
  if (vocabularyDocuments(documents).includes(pointerDocument(pointer))) {
    return diagnose(documents, code, pointer, message, help);
  }
  return createMendedDiagnostic(code, message, documents.locate(pointer), pointer, until, help);
}

/** A name of the contract in a message: in quotes, on one line, of bounded length. */
export function quote(name: string): string {
  const short = name.length > 100 ? `${name.slice(0, 99)}…` : name;
  const visible = short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, toEscape);
  return `"${visible}"`;
}

function toEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
