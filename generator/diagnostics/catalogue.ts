import type { Severity } from './severity.ts';

/** The default severity and texts of a diagnostic code. */
export interface CatalogueEntry {
  readonly severity: Severity;
  /** What is wrong, in one sentence, for the documentation of the code. */
  readonly title: string;
  /** How to correct such a problem. A diagnostic can replace it with something more specific. */
  readonly help: string;
}

const entries = {
  // load
  'file-not-found': {
    severity: 'error',
    title: 'A file that the configuration or an overlay names does not exist.',
    help: 'Correct the path. Paths are relative to the configuration file.',
  },
  'file-unreadable': {
    severity: 'error',
    title: 'A file of the contract exists but cannot be read as UTF-8 text.',
    help: 'Check the permissions of the file and save it as UTF-8.',
  },
  'yaml-syntax': {
    severity: 'error',
    title: 'A file is neither YAML 1.2 nor JSON, or repeats a key.',
    help: 'Correct the syntax at the location shown.',
  },
  'contract-too-large': {
    severity: 'error',
    title: 'A contract exceeds a limit: bytes, nodes, depth, aliases or enumeration values.',
    help: 'Split the contract, or raise the limit under `budgets` in the configuration.',
  },
  'reserved-name': {
    severity: 'error',
    title: 'A member is named `__proto__`, which is not safe as a member of a JavaScript object.',
    help: 'Rename the member. Generated receivers refuse it too.',
  },
  'unknown-version': {
    severity: 'error',
    title: 'A document has neither a member `openapi` nor a member `asyncapi` with a version.',
    help: 'Start the document with `openapi: 3.1.2` or `asyncapi: 3.0.0`.',
  },
  'unsupported-version': {
    severity: 'error',
    title: 'A document follows a version of its specification that is not supported.',
    help: 'Convert the document to OpenAPI 3.0, 3.1 or 3.2, or to AsyncAPI 2.0 to 2.6, 3.0 or 3.1.',
  },
  'unresolved-reference': {
    severity: 'error',
    title: 'A `$ref` refers to a file or a member that does not exist.',
    help: 'Correct the reference, add its target with an overlay, or exclude the parts that need it (`exclude`).',
  },
  'escaping-reference': {
    severity: 'error',
    title: "A `$ref` refers to a file outside the contract's folder.",
    help: "Move the file into the contract's folder, or let `contract.folder` of the configuration contain both: `init` and `generate <file>` have `--contract-folder <dir>` for it.",
  },
  'remote-reference': {
    severity: 'error',
    title: 'A `$ref` refers to a URL on the network.',
    help: 'Builds never use the network. Run `countersign pull <url>` with the URL of the contract: it fetches referenced documents too. Or copy the file into the contract, and refer to the copy.',
  },
  'invalid-openapi': {
    severity: 'error',
    title: 'A document violates the OpenAPI specification.',
    help: 'Correct the member at the location shown.',
  },
  'invalid-asyncapi': {
    severity: 'error',
    title: 'A document violates the AsyncAPI specification.',
    help: 'Correct the member at the location shown.',
  },
  'invalid-arazzo': {
    severity: 'error',
    title:
      'An Arazzo document violates the Arazzo specification, or names a document that is not part of the contract.',
    help: 'Correct the workflow at the location shown.',
  },
  'invalid-schema': {
    severity: 'error',
    title: 'A keyword of a JSON Schema has a value that is not allowed.',
    help: 'Correct the keyword at the location shown.',
  },
  'identical-paths': {
    severity: 'warning',
    title:
      'Two path templates differ only in the names of their parameters, so one request matches both.',
    help: 'Move the operations of both under one template. Until then, each operation keeps its own function.',
  },
  'lost-in-conversion': {
    severity: 'warning',
    title: 'A document of AsyncAPI 2 has a fact that AsyncAPI 3 cannot express.',
    help: 'If the fact matters to receivers, write the document in AsyncAPI 3. Otherwise, nothing has to be done.',
  },
  'invalid-overlay': {
    severity: 'error',
    title:
      'An overlay violates the Overlay specification 1.0 or 1.1, or does not extend a document of the contract.',
    help: 'Correct the overlay at the location shown.',
  },
  // Decision 0008: the Overlay specification permits such an action, but this hides a misspelled target.
  'overlay-target-not-found': {
    severity: 'error',
    title: 'The target of an overlay action selects nothing, so the action has no effect.',
    help: 'Correct the JSONPath of the target, or remove the action.',
  },
  'conflicting-actions': {
    severity: 'error',
    title: 'The actions of two settled ledger entries write the same place.',
    help: 'Settle one of the entries otherwise, or change the actions of a choice.',
  },
  // select
  'unmatched-selection': {
    severity: 'error',
    title: 'An entry of `include` or `exclude` matches nothing in the contract.',
    help: 'Correct the name in the configuration, or remove the entry.',
  },
  'nothing-selected': {
    severity: 'error',
    title: '`include` and `exclude` together remove the whole contract.',
    help: 'Include more, or exclude less. An empty selection would delete all generated files.',
  },
  'needed-operation': {
    severity: 'warning',
    title: 'An excluded operation issues the access token that other operations need.',
    help: 'Remove the operation from `exclude`, or exclude all operations that need the token.',
  },
  'unused-format': {
    severity: 'warning',
    title: 'The configuration assigns a type to a format that no string of the contract has.',
    help: 'Correct the name of the format in the configuration, or remove the entry.',
  },
  // lower
  'duplicate-operation-id': {
    severity: 'error',
    title: 'Two operations have the same operationId.',
    help: 'Give each operation a unique operationId.',
  },
  'undeclared-path-parameter': {
    severity: 'error',
    title: 'A path template and its declared path parameters do not match.',
    help: 'Declare exactly one parameter with `in: path` for each name in braces.',
  },
  'undeclared-channel-parameter': {
    severity: 'error',
    title: "A channel's address and its declared parameters do not match.",
    help: 'Declare exactly one parameter for each name in braces in the address.',
  },
  'duplicate-address': {
    severity: 'error',
    title: 'Two channels have the same address.',
    help: 'Move the messages of both into one channel.',
  },
  'other-protocol': {
    severity: 'info',
    title: 'Channels use a protocol other than HTTP, for which no receiver is generated.',
    help: 'Nothing has to be done. Use the generated types and validators with a client of the protocol.',
  },
  'assumed-protocol': {
    severity: 'info',
    title: 'No protocol is declared for messages that the service sends, and HTTP is assumed.',
    help: 'Declare the protocol in `servers`. If the messages are HTTP requests, `bindings: { http: { method: POST } }` of the operation declares it too.',
  },
  'invalid-extension': {
    severity: 'error',
    title:
      "The value of an `x-` key of the vocabulary violates the key's schema, or the key is on the wrong object. A warning in a document without `x-countersign`, except for keys of signatures and secrets.",
    help: 'Correct the value at the location shown. `countersign explain` with the key, such as `countersign explain x-signature`, shows its members.',
  },
  'unknown-extension': {
    severity: 'error',
    title:
      'An `x-` key resembles one of the vocabulary, and is not part of it. A warning in a document without `x-countersign`.',
    help: 'Correct the spelling, or rename the key.',
  },
  'missing-source': {
    severity: 'error',
    title: 'The document names a source document, and a fact in it has no citation.',
    help: 'Add `x-source` with the section of the source document that states the fact.',
  },
  'undeclared-header': {
    severity: 'error',
    title: 'A runtime expression refers to a header that is not declared.',
    help: 'Declare the header as a parameter, in the `headers` of a message or as a security scheme, or correct its name.',
  },
  'undeclared-name': {
    severity: 'error',
    title:
      'The vocabulary or a workflow refers to an operation, a channel, a member, a ledger entry or a choice that does not exist.',
    help: 'Correct the name, or declare it.',
  },
  'conflicting-unstated': {
    severity: 'error',
    title: 'Two `x-unstated` entries have the same id and different contents.',
    help: 'Give one of the entries another id, or make the entries equal.',
  },
  'unkept-value': {
    severity: 'error',
    title:
      'A call may be repeated only with the same value of a parameter, but every attempt carries a new one.',
    help: 'Keep the value in all attempts of a call (`retry: keep`), or remove `x-repeatable`.',
  },
  'contradicting-answers': {
    severity: 'error',
    title: 'A settled answer of the ledger requires another answer than the settled one.',
    help: 'Ask the operator again: the answers cannot both be true.',
  },
  'settled-without-effect': {
    severity: 'warning',
    title: 'A ledger entry is settled, but the answer changes nothing in the contract.',
    help: 'Add `actions` to the choice, refer to the entry with `{ unstated: <id> }`, or mark it with `documentation: true`.',
  },
  'name-collision': {
    severity: 'error',
    title: 'Two names of the contract result in the same name in code or the same file name.',
    help: 'Rename one of the two.',
  },
  'security-scheme-mismatch': {
    severity: 'error',
    title: 'The OpenAPI and AsyncAPI documents have different security schemes of the same name.',
    help: 'Rename one of the two, or make them equal.',
  },
  'invalid-example': {
    severity: 'error',
    title:
      'An example violates its schema, or an invalid example does not violate the rule that it names.',
    help: 'Correct the example or the schema.',
  },
  'payload-mismatch': {
    severity: 'error',
    title: 'The OpenAPI and AsyncAPI documents describe the same thing differently.',
    help: 'Write the schema in one file and refer to it from both documents.',
  },
  'dialect-difference': {
    severity: 'error',
    title:
      'A schema that both documents use has a keyword that OpenAPI and AsyncAPI interpret differently.',
    help: 'Write the schema without the keyword. `type` lists, `const`, `enum`, `allOf` and `oneOf` have the same meaning in both.',
  },
  'indistinct-notifications': {
    severity: 'error',
    title: 'Nothing distinguishes several notifications: neither a label nor `x-identified-by`.',
    help: 'Give each its own address, or declare their difference in `x-identified-by`. If the source document does not say how they differ, do not guess: add the question to `x-unstated`, and handle their union.',
  },
  'ambiguous-notifications': {
    severity: 'info',
    title:
      'Several notifications can match one delivery. A receiver gets such a delivery as a union.',
    help: 'If the source document distinguishes them, declare the difference in `x-identified-by`. Otherwise, nothing has to be done.',
  },
  'unused-schema-identification': {
    severity: 'info',
    title: 'A notification has `x-identified-by-schema`, but its schema decides nothing.',
    help: 'Remove it, or add it to each notification that can match the same delivery.',
  },
  'entangled-notifications': {
    severity: 'error',
    title: 'Notifications can match together in more combinations than can have handlers.',
    help: 'Exclude the others in `x-identified-by`: by a distinct value of a member that all have, or by `false` for a member that only others have.',
  },
  'undecidable-condition': {
    severity: 'error',
    title: 'A condition of `x-identified-by` or `x-variants` cannot decide what a delivery is.',
    help: 'Use `const`, `enum`, `type`, `pattern`, `not`, `allOf`, `anyOf` and `oneOf` only. Put all other constraints into the schema of the payload.',
  },
  'impossible-condition': {
    severity: 'error',
    title:
      'No valid delivery meets a condition of `x-identified-by` or `x-variants`, or has the path of a notification.',
    help: 'Correct the value of the condition, or the schema that excludes it.',
  },
  'unmatched-pattern': {
    severity: 'error',
    title: 'An example does not match the pattern that identifies its notification.',
    help: 'Correct the example, or the condition of `x-identified-by`.',
  },
  'enum-names': {
    severity: 'error',
    title: '`x-enum-varnames` or `x-enum-descriptions` does not have one entry for each value.',
    help: 'Write one entry for each value, in the order of the values.',
  },
  'mistyped-value': {
    severity: 'error',
    title:
      'An `enum`, a `const` or a `default` has a value that the `type` of its schema does not allow.',
    help: 'Correct the value or the type.',
  },
  'undeclared-property': {
    severity: 'error',
    title: 'A schema requires a property that neither it nor an enclosing schema declares.',
    help: 'Correct the name, or declare the property. The schema `{}` allows every value.',
  },
  'empty-enum': {
    severity: 'error',
    title: 'An `enum` is empty, so no value is valid.',
    help: 'List the values, or remove the keyword. If no value should be valid, write `not: {}`.',
  },
  'unknown-mapping': {
    severity: 'error',
    title: 'The `mapping` of a discriminator has the name of no schema.',
    help: 'Write the name of a schema in `components/schemas`, or a reference to one.',
  },
  'invalid-pattern': {
    severity: 'error',
    title: 'A `pattern` is not a regular expression of ECMA-262 with the `u` flag.',
    help: 'Write the pattern in JavaScript syntax, without enclosing slashes.',
  },
  'slow-pattern': {
    severity: 'error',
    title: 'A `pattern` can take a long time to match, or cannot be analyzed.',
    help: 'Write the pattern so that each character of a text can be matched in one way only, such as `a+` for `(a+)+` and `^[^,]*,` for `^.*,`; start the pattern with `^`; or add a `maxLength`, of at most 256 for any pattern that is not proven.',
  },
  'endless-schema': {
    severity: 'error',
    title: 'A schema applies itself to the same value, so its validation never ends.',
    help: 'Move the common part of the schemas into a separate schema, and refer to that.',
  },
  'invalid-variant': {
    severity: 'error',
    title: 'An `x-variants` entry does not match its schema.',
    help: 'Correct `each`, `as` or `rename`, so that they name members of the schema.',
  },
  'unusable-signature': {
    severity: 'error',
    title:
      'An `x-signature` or `x-body-signature` contradicts itself, or different requests can have the same signature.',
    help: 'Correct the member that the message names. In `over`, include the timestamp, and put a separator between parts of variable length. A secret needs `key.encoding`; ECDSA needs `format` (`raw` or `der`), and RSA-PSS `saltLength`.',
  },
  'unread-body': {
    severity: 'warning',
    title: 'The body of a notification has a media type that receivers do not read.',
    help: 'Describe it as JSON or as `application/x-www-form-urlencoded`, if the service also sends that. Otherwise, receive it with code of your own.',
  },
  'unreceived-notifications': {
    severity: 'info',
    title: 'Nothing receives some declared messages or callbacks.',
    help: 'Refer to them from an operation, or set `perspective`.',
  },
  'unsigned-data': {
    severity: 'warning',
    title: 'The signature of a notification does not cover its data.',
    help: 'Sign `$request.body`, or `$url.path+query` or `$url` for data in the query, if the service does. Otherwise, ask the service for the facts before you rely on them.',
  },
  'unsigned-key': {
    severity: 'error',
    title:
      '`x-dedupe-by` or `x-ordered-by` reads a part of a notification that its signature does not cover.',
    help: 'Read a signed part: a member of the body (with `x-body-signature`, one of its `over`), or `$request.body` if no member identifies the event. If there is none, omit the key: an application can set `identifyBy` and `orderBy` of an inbox in code.',
  },
  'unsigned-kind': {
    severity: 'info',
    title: 'An unsigned part of a notification decides its kind.',
    help: 'If a signed member of the body distinguishes the kinds too, use it in `x-identified-by`. Otherwise, nothing has to be done: a body is always validated as its kind.',
  },
  'misplaced-path-secret': {
    severity: 'error',
    title: 'A security scheme has `x-in-path`, but its key cannot be a segment of a path.',
    help: 'Remove `x-in-path`, or put it on a key of notifications: a scheme of the type `apiKey` (in AsyncAPI: `httpApiKey`).',
  },
  'unused-echo': {
    severity: 'error',
    title: 'A value has `x-echoes`, but no receiver sends it.',
    help: 'Use `x-echoes` in a successful response to a webhook, whose media type is `text/plain` or JSON. Give every other required member of the body a `const`, an `enum` with one value, or `x-echoes`.',
  },
  'unused-signature': {
    severity: 'error',
    title:
      'A security scheme has an `x-signature` or `x-body-signature`, but nothing requires the scheme.',
    help: 'Name the scheme in `security` of the notifications or calls that carry the signature (in AsyncAPI also of their server), or remove it.',
  },
  'unready-authentication': {
    severity: 'warning',
    title:
      'The contract authenticates notifications by a scheme that generated receivers have no function for.',
    help: 'Write a function for `authenticate` that verifies what the scheme requires. It gets the request, and returns whether the delivery is authentic.',
  },
  'differing-authentication': {
    severity: 'warning',
    title: 'Notifications require different proofs, or only some of them require one.',
    help: 'Set `authenticate: anyOf(…)` of the receiver, so that each proof is enough for all of them. Or generate a receiver for the notifications of each proof (`exclude` in the configuration).',
  },
  'unstated-authentication': {
    severity: 'warning',
    title:
      'A notification has no `security`, so the contract does not say how its deliveries are authenticated.',
    help: 'Add `security` to each notification (`security: []` if it needs no proof), or choose `authenticate` of the receiver by the documentation of the service.',
  },
  'unusable-version': {
    severity: 'warning',
    title: "The contract's version is not a valid version of an npm package.",
    help: 'Set `version` in the configuration, or write `info.version` as three numbers, such as 1.2.0.',
  },
  'unknown-package-version': {
    severity: 'error',
    title:
      'The `package.json` of a generated package, which keeps its version, is missing or has none.',
    help: 'Restore the file from version control, or write its `version` as three numbers, such as 1.2.0.',
  },
  'ignored-header': {
    severity: 'warning',
    title: 'OpenAPI ignores a header parameter, so the client does not send it.',
    help: 'For `Authorization`, declare a security scheme; an overlay can add it. Pass any other value in the option `headers` of the client or of a call. Declare a media type in `content`.',
  },
  'ignored-body': {
    severity: 'warning',
    title: 'An operation requires a request body, but its HTTP method is sent without one.',
    help: 'Describe the data as parameters, or give the operation another method.',
  },
  'unsupported-feature': {
    severity: 'warning',
    title: 'A document uses a feature of OpenAPI 3.2 for which no code is generated.',
    help: 'Describe it with OpenAPI 3.1. The rest of the document is generated.',
  },
  // emit
  'target-failed': {
    severity: 'error',
    title: 'A target cannot generate its files for a part of the contract.',
    help: 'The location is the part of the contract that the target was reading. Correct the fault that the message names, exclude the part (`exclude`), or remove the target.',
  },
  'unsupported-schema': {
    severity: 'error',
    title: 'A schema uses a schema format or a keyword that is not supported.',
    help: 'Write the schema as JSON Schema, or in the schema format of AsyncAPI.',
  },
} as const;

/** The code of a diagnostic. */
export type DiagnosticCode = keyof typeof entries;

/** The diagnostics of all commands, by code. */
export const catalogue: Readonly<Record<DiagnosticCode, CatalogueEntry>> = entries;
