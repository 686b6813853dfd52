import type { CatalogueEntry } from './catalogue.ts';
import { redoclyCatalogue, type RedoclyCode } from './redocly-catalogue.ts';

/** The findings that this toolkit defines. */
const ownEntries = {
  'uncited-fact': {
    severity: 'error',
    title:
      'A named schema, a response, a server, an address or a wire variant does not cite the source document.',
    help: 'Add `x-source` with the section that states the fact.',
  },
  'remark-beside-citation': {
    severity: 'error',
    title:
      'A summary or description with a citation mentions a ledger entry, or says that something is open or assumed.',
    help: 'Move the sentence to `x-note`, or to the `remark` of the entry.',
  },
  'note-on-settled-entry': {
    severity: 'warning',
    title: 'A note mentions a ledger entry that is settled, and does not say that it is about it.',
    help: 'Write the note as `{ text: …, about: <id> }`, so that the answer replaces it. Or delete the note.',
  },
  'unnamed-source-document': {
    severity: 'warning',
    title: 'A contract cites sections but does not name the source document.',
    help: 'Add `x-source-document` under `info`. Every fact then requires a citation.',
  },
  'unanswered-ambiguity': {
    severity: 'error',
    title: 'Several notifications can match one delivery, and no `x-unstated` entry records it.',
    help: 'In `x-identified-by` of each, name a value that only its deliveries have. If the source document has none, add the question to `x-unstated` on one of the messages, or on the schema of a value that their conditions read.',
  },
  'answer-although-open': {
    severity: 'error',
    title: 'A standard keyword contains an answer that an open `x-unstated` entry does not assume.',
    help: 'Write a keyword that is right for every answer, and let `actions` of the choice write the stricter one. Or settle the entry.',
  },
  'entry-without-effect': {
    severity: 'warning',
    title: 'No choice of an open `x-unstated` entry changes the contract.',
    help: 'Add `actions` to a choice, refer to the entry with `{ unstated: <id> }`, or write `documentation: true` instead of the choices.',
  },
  'operation-without-success': {
    severity: 'warning',
    title: 'An operation declares no success, so its calls never return.',
    help: 'Add the response of a call that succeeds, such as `200` or `2XX`.',
  },
  'signature-header-parameter': {
    severity: 'warning',
    title: 'A call requires its callers to pass a header that the client writes when it signs.',
    help: 'Set `required: false`, so that a caller may pass the signed value. Or remove the parameter if the contract declares the header elsewhere, so that only the client writes it.',
  },
  'several-payloads': {
    severity: 'info',
    title: 'The payload of a notification is one of several schemas, which a member selects.',
    help: 'If one handler is enough, leave it: the member narrows its data. For a handler of each, describe each as a notification of its own, also by an overlay.',
  },
  'unstated-pagination': {
    severity: 'warning',
    title: 'An operation seems to return one page of a list, and has no `x-pagination`.',
    help: 'Add `x-pagination`, so that the client can read all pages.',
  },
  'event-without-example': {
    severity: 'warning',
    title: 'A notification has no example.',
    help: 'Add an example to the `examples` of the message.',
  },
  'form-without-example': {
    severity: 'warning',
    title: 'No example shows a wire variant that `x-variants` describes, or the canonical format.',
    help: 'Add an example in this wire format.',
  },
  'value-without-example': {
    severity: 'warning',
    title: 'A value of an enumeration occurs in no example.',
    help: 'Add an example for each value.',
  },
  'alternative-without-example': {
    severity: 'warning',
    title: 'An alternative of `oneOf` or `anyOf` occurs in no example.',
    help: 'Add an example for the alternative, or remove it.',
  },
  'unmatchable-pattern': {
    severity: 'error',
    title: 'No text can match a `pattern`, for example because characters follow its end anchor.',
    help: 'Write the pattern so that at least one text matches it.',
  },
  'unbounded-number': {
    severity: 'warning',
    title:
      'A non-integer number has neither `multipleOf` nor a bound, so an amount can be rounded silently.',
    help: 'Add `multipleOf` or `maximum`, or write amounts as strings or as integers of the smallest unit.',
  },
  'swagger-parser': {
    severity: 'warning',
    title: 'swagger-parser reports what no other check of the toolkit reports.',
    help: 'Compare the place with the specification. If it is valid, add an exception to the configuration.',
  },
  'unused-exception': {
    severity: 'warning',
    title: 'An exception of the configuration has no effect.',
    help: 'Remove the exception, or correct its `rule` and `at`.',
  },
} as const;

/** The codes that only `countersign lint` reports, and not `generate`. A finding never stops generation. */
export type LintCode = keyof typeof ownEntries | RedoclyCode;

export const lintCatalogue: Readonly<Record<LintCode, CatalogueEntry>> = {
  ...ownEntries,
  ...redoclyCatalogue,
};

/** Returns whether a text is the code of a lint finding. */
export function isLintCode(code: string): code is LintCode {
  return Object.hasOwn(lintCatalogue, code);
}
