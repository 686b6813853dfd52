import type { CatalogueEntry } from './catalogue.ts';

/**
 * The rules of Redocly's recommended set that no other check covers, by Redocly's names. Rules that restate a
 * specification are not among them: the main catalogue has codes for them, and every command checks them.
 */
export type RedoclyRule =
  | 'info-license'
  | 'info-license-strict'
  | 'no-ambiguous-paths'
  | 'no-duplicated-enum-values'
  | 'no-empty-servers'
  | 'no-example-value-and-externalValue'
  | 'no-illogical-composition-keywords'
  | 'no-mixed-number-range-constraints'
  | 'no-path-trailing-slash'
  | 'no-schema-type-mismatch'
  | 'no-server-example.com'
  | 'no-server-trailing-slash'
  | 'no-server-variables-empty-enum'
  | 'no-unsafe-markdown'
  | 'no-unused-components'
  | 'nullable-type-sibling'
  | 'operation-2xx-response'
  | 'operation-4xx-response'
  | 'operation-operationId'
  | 'operation-operationId-url-safe'
  | 'operation-summary'
  | 'security-defined'
  | 'security-scopes-defined'
  | 'spec-ref-siblings'
  | 'tag-description';

/** The code of `countersign lint` for a rule of Redocly. */
export type RedoclyCode = `redocly/${RedoclyRule}`;

const rules: Readonly<Record<RedoclyRule, CatalogueEntry>> = {
  'info-license': {
    severity: 'warning',
    title: 'A document does not say under which licence it stands.',
    help: 'Add `license` to `info`.',
  },
  'info-license-strict': {
    severity: 'warning',
    title: 'A licence has neither an `identifier` nor a `url`.',
    help: 'Add the SPDX `identifier` of the licence, or the `url` of its text.',
  },
  'no-ambiguous-paths': {
    severity: 'warning',
    title: 'One request path fits two path templates.',
    help: 'Change one of the templates, so that a path fits one of them only.',
  },
  'no-duplicated-enum-values': {
    severity: 'warning',
    title: 'An enumeration lists a value twice.',
    help: 'Remove the second.',
  },
  'no-empty-servers': {
    severity: 'error',
    title: 'A document names no server.',
    help: 'Add a server, with a variable for what the reader has to fill in.',
  },
  'no-example-value-and-externalValue': {
    severity: 'error',
    title: 'An example has both a `value` and an `externalValue`.',
    help: 'Remove one of the two.',
  },
  'no-illogical-composition-keywords': {
    severity: 'warning',
    title: '`oneOf` or `anyOf` combines schemas in a way that cannot matter.',
    help: 'Write the one schema in place, or remove what stands twice.',
  },
  'no-mixed-number-range-constraints': {
    severity: 'warning',
    title: 'A number has both an inclusive and an exclusive bound on one side.',
    help: 'Keep one of the two.',
  },
  'no-path-trailing-slash': {
    severity: 'error',
    title: 'A path template ends with a slash.',
    help: 'Remove the slash.',
  },
  'no-schema-type-mismatch': {
    severity: 'error',
    title: 'A schema describes properties of what is no object, or items of what is no array.',
    help: 'Correct the `type`, or remove the keyword that belongs to another one.',
  },
  'no-server-example.com': {
    severity: 'warning',
    title: 'A server is `example.com` or `localhost`.',
    help: 'Write the address at which the service answers.',
  },
  'no-server-trailing-slash': {
    severity: 'error',
    title: 'The URL of a server ends with a slash.',
    help: 'Remove the slash; paths begin with one.',
  },
  'no-server-variables-empty-enum': {
    severity: 'error',
    title: 'A server variable has an empty list of values, or a default that is not on its list.',
    help: 'List the values, the default among them, or remove `enum`.',
  },
  'no-unsafe-markdown': {
    severity: 'warning',
    title: "A description has Markdown that runs code in the reader's browser.",
    help: 'Write the text without scripts and without `javascript:` links.',
  },
  'no-unused-components': {
    severity: 'warning',
    title: 'Nothing refers to a component.',
    help: 'Refer to it, or remove it.',
  },
  'nullable-type-sibling': {
    severity: 'error',
    title: '`nullable` stands in a schema without a `type`, where it means nothing.',
    help: 'Add the `type`.',
  },
  'operation-2xx-response': {
    severity: 'warning',
    title: 'An operation does not say how it answers when it succeeds.',
    help: 'Add a response from 200 to 299, or `2XX`.',
  },
  'operation-4xx-response': {
    severity: 'warning',
    title: 'An operation does not say how it answers to a request that it refuses.',
    help: 'Add a response from 400 to 499, or `4XX`.',
  },
  'operation-operationId': {
    severity: 'warning',
    title:
      'An operation has no `operationId`, so that its function is named after its method and path.',
    help: 'Add an `operationId`.',
  },
  'operation-operationId-url-safe': {
    severity: 'error',
    title: 'An `operationId` has characters that a URL does not take as they are.',
    help: 'Write it with letters, digits, `-`, `.`, `_` and `~`.',
  },
  'operation-summary': {
    severity: 'error',
    title: 'An operation has no summary.',
    help: 'Add a `summary`: one line that says what a call does.',
  },
  'security-defined': {
    severity: 'warning',
    title: 'An operation does not say what authenticates it.',
    help: 'Add `security`, or an empty list where nothing does.',
  },
  'security-scopes-defined': {
    severity: 'warning',
    title: 'An operation asks for a scope that its security scheme does not have.',
    help: 'Correct the scope, or add it to the scheme.',
  },
  'spec-ref-siblings': {
    severity: 'warning',
    title: 'Members stand beside a `$ref` that hides them.',
    help: 'Write the reference as `allOf: [{ $ref: … }]`.',
  },
  'tag-description': {
    severity: 'warning',
    title: 'A tag has no description.',
    help: 'Add a `description`.',
  },
};

/** The names of these rules at Redocly, in alphabetical order. */
export const redoclyRules: readonly RedoclyRule[] = Object.keys(rules) as RedoclyRule[];

export const redoclyCatalogue: Readonly<Record<RedoclyCode, CatalogueEntry>> = Object.fromEntries(
  Object.entries(rules).map(([rule, entry]) => [`redocly/${rule}`, entry]),
) as Record<RedoclyCode, CatalogueEntry>;
