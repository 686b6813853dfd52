import type { Severity } from './severity.ts';

/** The default severity and texts of a diagnostic code. */
export interface CatalogueEntry {
  readonly severity: Severity;
  /** What is wrong, in one sentence, for the documentation of the code. */
  readonly title: string;
  /** How to correct such a problem. A diagnostic can replace it with something more specific. */
  readonly help: string;
}

/** The codes of diagnostics. The compiler requires a catalogue entry for each. */
export type DiagnosticCode =
  // load
  | 'file-not-found'
  | 'file-unreadable'
  | 'yaml-syntax'
  | 'contract-too-large'
  | 'reserved-name'
  | 'unknown-version'
  | 'unsupported-version'
  | 'unresolved-reference'
  | 'escaping-reference'
  | 'remote-reference'
  | 'invalid-openapi'
  | 'invalid-asyncapi'
  | 'invalid-schema'
  | 'identical-paths'
  | 'invalid-overlay'
  | 'overlay-target-not-found'
  // select
  | 'unmatched-selection'
  | 'nothing-selected'
  | 'needed-operation'
  | 'unused-format'
  // lower
  | 'duplicate-operation-id'
  | 'undeclared-path-parameter'
  | 'undeclared-channel-parameter'
  | 'duplicate-address'
  | 'invalid-extension'
  | 'unknown-extension'
  | 'missing-source'
  | 'undeclared-header'
  | 'undeclared-name'
  | 'conflicting-unstated'
  | 'name-collision'
  | 'invalid-example'
  | 'payload-mismatch'
  | 'dialect-difference'
  | 'indistinct-notifications'
  | 'ambiguous-notifications'
  | 'entangled-notifications'
  | 'undecidable-condition'
  | 'enum-names'
  | 'mistyped-value'
  | 'undeclared-property'
  | 'empty-enum'
  | 'invalid-pattern'
  | 'slow-pattern'
  | 'endless-schema'
  | 'invalid-variant'
  | 'unusable-signature'
  | 'unusable-version'
  | 'ignored-body'
  | 'unsupported-feature'
  // emit
  | 'unsupported-schema';

export const catalogue: Readonly<Record<DiagnosticCode, CatalogueEntry>> = {
  'file-not-found': {
    severity: 'error',
    title: 'A file that the configuration or an overlay names does not exist.',
    help: 'Correct the path; it is relative to the configuration file.',
  },
  'file-unreadable': {
    severity: 'error',
    title: 'A file of the contract exists but cannot be read as UTF-8 text.',
    help: 'Check the permissions of the file and save it as UTF-8.',
  },
  'yaml-syntax': {
    severity: 'error',
    title: 'A file is neither YAML 1.2 nor JSON, or repeats a key.',
    help: 'Correct the syntax at the place shown.',
  },
  'contract-too-large': {
    severity: 'error',
    title: 'A contract exceeds a budget of bytes, nodes, depth, aliases or enumeration values.',
    help: 'Split the contract, or raise the budget of that name in the configuration.',
  },
  'reserved-name': {
    severity: 'error',
    title: 'A member is named `__proto__`, which JavaScript objects cannot carry safely.',
    help: 'Rename the member; no JavaScript receiver accepts it either.',
  },
  'unknown-version': {
    severity: 'error',
    title: 'A document does not say which version of which specification it follows.',
    help: 'Begin the document with `openapi: 3.1.2` or `asyncapi: 3.0.0`.',
  },
  'unsupported-version': {
    severity: 'error',
    title: 'A document follows a version of its specification that is not read.',
    help: 'OpenAPI 3.0, 3.1 and 3.2 and AsyncAPI 3.0 and 3.1 are read; convert the document to one of them.',
  },
  'unresolved-reference': {
    severity: 'error',
    title: 'A `$ref` leads to a file or a member that does not exist.',
    help: 'Correct the reference, or add what it names.',
  },
  'escaping-reference': {
    severity: 'error',
    title: "A `$ref` leads out of the contract's folder.",
    help: "Move the file into the contract's folder, or name a folder around both as `contract.folder`.",
  },
  'remote-reference': {
    severity: 'error',
    title: 'A `$ref` leads to the network.',
    help: 'Copy the file into the contract, so that a build never depends on the network.',
  },
  'invalid-openapi': {
    severity: 'error',
    title: 'A document breaks the OpenAPI specification.',
    help: 'Correct the member at the place shown.',
  },
  'invalid-asyncapi': {
    severity: 'error',
    title: 'A document breaks the AsyncAPI specification.',
    help: 'Correct the member at the place shown.',
  },
  'invalid-schema': {
    severity: 'error',
    title: 'A JSON Schema uses a keyword with a value that the keyword does not take.',
    help: 'Correct the keyword at the place shown.',
  },
  'identical-paths': {
    severity: 'warning',
    title:
      'Two path templates differ only in the names of their parameters, so that one request fits both.',
    help: 'Put the operations of both under one template; until then, each keeps its function.',
  },
  'invalid-overlay': {
    severity: 'error',
    title:
      'An overlay breaks the Overlay specification 1.0, or extends no document of the contract.',
    help: 'Correct the overlay at the place shown.',
  },
  // Decision 0008: the Overlay specification permits such an action, but this hides a misspelled target.
  'overlay-target-not-found': {
    severity: 'error',
    title: 'The target of an overlay action selects nothing, so that the action has no effect.',
    help: 'Correct the JSONPath of the target, or remove the action.',
  },
  'unmatched-selection': {
    severity: 'warning',
    title: 'An entry of `include` or `exclude` names nothing that the contract has.',
    help: 'Correct the name in the configuration, or remove the entry.',
  },
  'nothing-selected': {
    severity: 'error',
    title: '`include` and `exclude` leave nothing of the contract.',
    help: 'Include more, or exclude less; the output folder would be emptied otherwise.',
  },
  'needed-operation': {
    severity: 'warning',
    title: 'An excluded operation issues the access token that other operations need.',
    help: 'Remove it from `exclude`, or exclude what needs the token as well.',
  },
  'unused-format': {
    severity: 'warning',
    title: 'The configuration gives a format a type, and no text of the contract has the format.',
    help: 'Correct the name of the format in the configuration, or remove it.',
  },
  'duplicate-operation-id': {
    severity: 'error',
    title: 'Two operations carry the same operationId.',
    help: 'Give each operation an operationId of its own.',
  },
  'undeclared-path-parameter': {
    severity: 'error',
    title: 'A path template and the declared path parameters do not agree.',
    help: 'Declare a parameter `in: path` for each name in braces, and no other.',
  },
  'undeclared-channel-parameter': {
    severity: 'error',
    title: "A channel's address and its declared parameters do not agree.",
    help: 'Declare a parameter for each name in braces of the address, and no other.',
  },
  'duplicate-address': {
    severity: 'error',
    title: 'Two channels have the same address.',
    help: 'Put the messages of both into one channel.',
  },
  'invalid-extension': {
    severity: 'error',
    title: "A value of the contract's vocabulary does not have the shape that its key takes.",
    help: 'Correct the value at the place shown; `README.md` describes the vocabulary.',
  },
  'unknown-extension': {
    severity: 'error',
    title: 'An `x-` key is not part of the vocabulary that the document declares.',
    help: 'Correct the spelling, or remove the key.',
  },
  'missing-source': {
    severity: 'error',
    title: 'A fact of a contract with a source document does not cite it.',
    help: 'Add `x-source` with the section that states the fact.',
  },
  'undeclared-header': {
    severity: 'error',
    title: 'A runtime expression names a header that is not declared.',
    help: 'Declare the header as a parameter or as a security scheme, or correct its name.',
  },
  'undeclared-name': {
    severity: 'error',
    title:
      'The vocabulary refers to an operation, a member, a ledger entry or a choice that does not exist.',
    help: 'Correct the name, or declare what it names.',
  },
  'conflicting-unstated': {
    severity: 'error',
    title: 'Two entries of the ledger have the same id and say different things.',
    help: 'Give one of the entries another id.',
  },
  'name-collision': {
    severity: 'error',
    title: 'Two names of the contract become one name in code or one file name.',
    help: 'Rename one of the two.',
  },
  'invalid-example': {
    severity: 'error',
    title:
      'An example violates its schema, or an invalid example does not break what it says it breaks.',
    help: 'Correct the example or the schema.',
  },
  'payload-mismatch': {
    severity: 'error',
    title: 'The two documents describe one thing differently.',
    help: 'Keep the schema in one file and refer to it from both documents.',
  },
  'dialect-difference': {
    severity: 'error',
    title: 'A schema that both documents use has a keyword that their dialects read differently.',
    help: 'Write the schema without the keyword; both dialects read `type` lists, `const`, `enum`, `allOf` and `oneOf` alike.',
  },
  'indistinct-notifications': {
    severity: 'error',
    title: 'Nothing tells two notifications apart: neither a label nor `x-identified-by`.',
    help: 'Give one of them an address of its own, or say with `x-identified-by` what tells them apart.',
  },
  'ambiguous-notifications': {
    severity: 'info',
    title: 'Two notifications can both match one delivery; a receiver gets it as a union.',
    help: 'Nothing has to be done where the contract says no more; otherwise say more in `x-identified-by`.',
  },
  'entangled-notifications': {
    severity: 'error',
    title:
      'The conditions of notifications do not exclude one another, and hold in too many combinations to have a handler each.',
    help: 'Say in `x-identified-by` what excludes the others: a value that all of them have, or `false` for what only others have.',
  },
  'undecidable-condition': {
    severity: 'error',
    title:
      'A condition of `x-identified-by` or `x-variants` is about something that no table of values and types can decide.',
    help: 'Write it with `const`, `enum`, `type`, `not`, `allOf`, `anyOf` and `oneOf`; what else a body has to be, its schema says.',
  },
  'enum-names': {
    severity: 'error',
    title: '`x-enum-varnames` or `x-enum-descriptions` does not have one entry for each value.',
    help: 'Give each value one name and one description, in the order of the values.',
  },
  'mistyped-value': {
    severity: 'error',
    title:
      'An `enum`, a `const` or a `default` has a value that the type of its schema does not admit.',
    help: 'Write the value as the type has it, or correct the type.',
  },
  'undeclared-property': {
    severity: 'error',
    title: 'A schema requires a property that neither it nor a schema around it declares.',
    help: 'Correct the name, or declare the property; `{}` admits every value.',
  },
  'empty-enum': {
    severity: 'error',
    title: 'An `enum` lists no value, so that no value is valid.',
    help: 'List the values, or remove the keyword; write `not: {}` if no value is meant to be valid.',
  },
  'invalid-pattern': {
    severity: 'error',
    title: 'A `pattern` is no regular expression of ECMA-262 with the `u` flag.',
    help: 'Write the pattern as JavaScript reads it, without enclosing slashes.',
  },
  'slow-pattern': {
    severity: 'error',
    title: 'A `pattern` takes time that grows exponentially with the length of a text.',
    help: 'Write the pattern so that no part of it can match one text in several ways, such as `a+` for `(a+)+`.',
  },
  'endless-schema': {
    severity: 'error',
    title:
      'A schema is checked by being checked itself, so that no validator and no type of it ends.',
    help: 'Put what the schemas have in common into one of its own, and refer to it from both.',
  },
  'invalid-variant': {
    severity: 'error',
    title: 'An `x-variants` entry does not fit the schema it stands on.',
    help: 'Correct `each`, `as` or `rename`, so that they name members the schema has.',
  },
  'unusable-signature': {
    severity: 'error',
    title: 'An `x-signature` contradicts itself, or gives different requests one signature.',
    help: 'Correct what is signed: a timestamp has to be among it, and something has to part what varies in length.',
  },
  'unusable-version': {
    severity: 'warning',
    title: "The contract's version is none that npm takes.",
    help: 'Set `version` in the configuration, or write three numbers with points between them.',
  },
  'ignored-body': {
    severity: 'warning',
    title: 'An operation requires a body with a method that is sent without one.',
    help: 'Describe what is sent as parameters, or give the operation another method.',
  },
  'unsupported-feature': {
    severity: 'warning',
    title: 'A document uses something new in OpenAPI 3.2 that is not generated yet.',
    help: 'Write it as OpenAPI 3.1 has it; everything else is generated.',
  },
  'unsupported-schema': {
    severity: 'error',
    title: 'A schema uses something that no code can be generated for.',
    help: 'Write the schema as JSON Schema, or as AsyncAPI writes it.',
  },
};
