import type { CatalogueEntry } from './catalogue.ts';
import { redoclyCatalogue, type RedoclyCode } from './redocly-catalogue.ts';

/** The codes of lint findings that this toolkit defines. The compiler requires a catalogue entry for each. */
export type OwnLintCode =
  | 'uncited-fact'
  | 'unnamed-source-document'
  | 'unanswered-ambiguity'
  | 'event-without-example'
  | 'form-without-example'
  | 'value-without-example'
  | 'alternative-without-example'
  | 'unmatchable-pattern'
  | 'unbounded-number'
  | 'unused-exception';

/** The codes that only `countersign lint` reports, and not `generate`. A finding never stops generation. */
export type LintCode = OwnLintCode | RedoclyCode;

const own: Readonly<Record<OwnLintCode, CatalogueEntry>> = {
  'uncited-fact': {
    severity: 'error',
    title:
      'A named schema, a response, a server, an address or a wire form does not cite the source document.',
    help: 'Add `x-source` with the section that states it.',
  },
  'unnamed-source-document': {
    severity: 'warning',
    title: 'A contract cites sections and does not say of which document.',
    help: 'Name the document with `x-source-document` under `info`; from then on everything has to cite it.',
  },
  'unanswered-ambiguity': {
    severity: 'error',
    title: 'Two notifications can both match one delivery, and no entry of the ledger says so.',
    help: 'Ask the question in `x-unstated` on one of the two messages, or on the schema of a value that their conditions look at.',
  },
  'event-without-example': {
    severity: 'warning',
    title: 'A notification has no example.',
    help: 'Add one to the `examples` of its message.',
  },
  'form-without-example': {
    severity: 'warning',
    title:
      'No example shows a wire form that `x-variants` describes, or the canonical form beside it.',
    help: 'Add an example that is written in this form.',
  },
  'value-without-example': {
    severity: 'warning',
    title: 'No example has one of the values that an enumeration lists.',
    help: 'Add an example with each value, so that it is known how a body with it looks.',
  },
  'alternative-without-example': {
    severity: 'warning',
    title: 'No example takes one of the alternatives of `oneOf` or `anyOf`.',
    help: 'Add an example that takes it, or remove the alternative.',
  },
  'unmatchable-pattern': {
    severity: 'error',
    title: 'No text at all matches a `pattern`, as with an anchor behind what has to come first.',
    help: 'Write the pattern so that at least one text matches it.',
  },
  'unbounded-number': {
    severity: 'warning',
    title:
      'A number that is no integer has neither a step nor a bound, so that an amount in it can be rounded without a word.',
    help: 'Add `multipleOf` or `maximum`, or write amounts as integers of the smallest unit or as strings.',
  },
  'unused-exception': {
    severity: 'warning',
    title: 'An exception of the configuration has no effect.',
    help: 'Remove the exception, or correct its `rule` and `at`.',
  },
};

export const lintCatalogue: Readonly<Record<LintCode, CatalogueEntry>> = {
  ...own,
  ...redoclyCatalogue,
};

/** Returns whether a text is the code of a lint finding. */
export function isLintCode(code: string): code is LintCode {
  return Object.hasOwn(lintCatalogue, code);
}
