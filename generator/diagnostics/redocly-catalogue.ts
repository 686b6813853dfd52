import type { CatalogueEntry } from './catalogue.ts';

/**
 * The rules of Redocly's recommended set that no other check covers, by Redocly's names. Rules that restate a
 * specification are not among them: the main catalogue has codes for them, and every command checks them.
 */
const rules = {
  'info-license': {
    severity: 'warning',
    title: 'A document does not name its licence.',
    help: 'Add `license` to `info`.',
  },
  'info-license-strict': {
    severity: 'warning',
    title: 'A licence has neither an `identifier` nor a `url`.',
    help: 'Add the SPDX `identifier` of the licence, or the `url` of its text.',
  },
  'no-ambiguous-paths': {
    severity: 'warning',
    title: 'One request path matches two path templates.',
    help: 'Change one of the templates, so that every path matches only one of them.',
  },
  'no-duplicated-enum-values': {
    severity: 'warning',
    title: 'An enumeration lists a value twice.',
    help: 'Remove the duplicate.',
  },
  'no-empty-servers': {
    severity: 'error',
    title: 'A document names no server.',
    help: 'Add a server, with variables for the parts that differ between environments.',
  },
  'no-example-value-and-externalValue': {
    severity: 'error',
    title: 'An example has both a `value` and an `externalValue`.',
    help: 'Remove one of the two.',
  },
  'no-illogical-composition-keywords': {
    severity: 'warning',
    title: 'A `oneOf` or `anyOf` has a single alternative, or an alternative that occurs twice.',
    help: 'Replace it by the single alternative, or remove the duplicate.',
  },
  'no-mixed-number-range-constraints': {
    severity: 'warning',
    title: 'A number has both an inclusive and an exclusive bound on the same side.',
    help: 'Keep one of the two.',
  },
  'no-path-trailing-slash': {
    severity: 'error',
    title: 'A path template ends with a slash.',
    help: 'Remove the slash.',
  },
  'no-schema-type-mismatch': {
    severity: 'error',
    title: 'A schema has `properties` but is not an object, or `items` but is not an array.',
    help: 'Correct the `type`, or remove the keyword.',
  },
  'no-server-example.com': {
    severity: 'warning',
    title: 'A server is `example.com` or `localhost`.',
    help: 'Write the address of the service.',
  },
  'no-server-trailing-slash': {
    severity: 'error',
    title: 'The URL of a server ends with a slash.',
    help: 'Remove the slash. Paths start with one.',
  },
  'no-server-variables-empty-enum': {
    severity: 'error',
    title: 'A server variable has an empty list of values, or a default that is not on its list.',
    help: 'List the values including the default, or remove `enum`.',
  },
  'no-unsafe-markdown': {
    severity: 'warning',
    title: "A description contains Markdown that can run code in the reader's browser.",
    help: 'Remove scripts and `javascript:` links from the text.',
  },
  'no-unused-components': {
    severity: 'warning',
    title: 'Nothing refers to a component.',
    help: 'Refer to the component, or remove it.',
  },
  'nullable-type-sibling': {
    severity: 'error',
    title: 'A schema has `nullable` but no `type`, so `nullable` has no effect.',
    help: 'Add the `type`.',
  },
  'operation-4xx-response': {
    severity: 'warning',
    title: 'An operation declares no response for a refused request.',
    help: 'Add a response from 400 to 499, or `4XX`.',
  },
  'operation-operationId': {
    severity: 'warning',
    title: 'An operation has no `operationId`, so its function is named after its method and path.',
    help: 'Add an `operationId`.',
  },
  'operation-operationId-url-safe': {
    severity: 'error',
    title: 'An `operationId` has characters that must be escaped in a URL.',
    help: 'Use only letters, digits, `-`, `.`, `_` and `~`.',
  },
  'operation-summary': {
    severity: 'error',
    title: 'An operation has no summary.',
    help: 'Add a `summary`: one line about what the operation does.',
  },
  'security-defined': {
    severity: 'warning',
    title: 'An operation does not declare its authentication.',
    help: 'Add `security`. An empty list means that no authentication is required.',
  },
  'security-scopes-defined': {
    severity: 'warning',
    title: 'An operation requires a scope that its security scheme does not declare.',
    help: 'Correct the scope, or add it to the security scheme.',
  },
  'spec-ref-siblings': {
    severity: 'warning',
    title: 'A `$ref` has sibling members, which are ignored.',
    help: 'Write the reference as `allOf: [{ $ref: … }]`, and keep the members beside `allOf`.',
  },
  'tag-description': {
    severity: 'warning',
    title: 'A tag has no description.',
    help: 'Add a `description`.',
  },
} as const;

export type RedoclyRule = keyof typeof rules;

/** The code of `countersign lint` for a rule of Redocly. */
export type RedoclyCode = `redocly/${RedoclyRule}`;

/** The names of these rules at Redocly, in alphabetical order. */
export const redoclyRules: readonly RedoclyRule[] = Object.keys(rules) as RedoclyRule[];

export const redoclyCatalogue: Readonly<Record<RedoclyCode, CatalogueEntry>> = Object.fromEntries(
  Object.entries(rules).map(([rule, entry]) => [`redocly/${rule}`, entry]),
) as Record<RedoclyCode, CatalogueEntry>;
