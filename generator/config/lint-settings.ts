import { catalogue, type DiagnosticCode } from '../diagnostics/catalogue.ts';
import { lintCatalogue, type LintCode } from '../diagnostics/lint-catalogue.ts';

/** What `countersign lint` calls a rule: the code of its findings. */
export type LintRuleName = LintCode | DiagnosticCode;

/** A finding that stays as it is, for a reason. */
export interface LintException {
  readonly rule: LintRuleName;
  /**
   * The place in the bundled documents, such as `openapi#/components/schemas/Parcel/properties/weight`; what is below
   * is excepted too. `lint --format json` has the `pointer` of each finding.
   */
  readonly at: string;
  /** Why it is right as it is; for those who read the configuration. */
  readonly reason: string;
}

/** What a contract wants to hear. An error that stops `generate` stays one, whatever is said here. */
export interface LintSettings {
  readonly rules?: Readonly<Partial<Record<LintRuleName, 'error' | 'warning' | 'off'>>>;
  readonly exceptions?: readonly LintException[];
}

/** Every rule that settings may name, in the order of the catalogues. */
export const lintRuleNames: readonly string[] = [
  ...Object.keys(lintCatalogue),
  ...Object.keys(catalogue),
];
