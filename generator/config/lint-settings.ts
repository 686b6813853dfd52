import { catalogue } from '../diagnostics/catalogue.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { lintCatalogue } from '../diagnostics/lint-catalogue.ts';

/** The name of a lint rule: the code of its findings. */
type LintRuleName = Diagnostic['code'];

/** A finding that is accepted, with the reason. */
export interface LintException {
  readonly rule: LintRuleName;
  /**
   * A pointer into the bundled documents, such as `openapi#/components/schemas/Parcel/properties/weight`. Everything
   * below it is excepted too. `lint --format json` reports the `pointer` of each finding.
   */
  readonly at: string;
  /** The reason why the finding is accepted, for readers of the configuration. */
  readonly reason: string;
}

/** The levels of lint rules, and exceptions. An error that stops `generate` stays an error, whatever its level here. */
export interface LintSettings {
  readonly rules?: Readonly<Partial<Record<LintRuleName, 'error' | 'warning' | 'off'>>>;
  readonly exceptions?: readonly LintException[];
}

/** Every rule that settings may name, in the order of the catalogues. */
export const lintRuleNames: readonly string[] = [
  ...Object.keys(lintCatalogue),
  ...Object.keys(catalogue),
];
