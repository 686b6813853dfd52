import type { LintCode } from '../../../generator/diagnostics/lint-catalogue.ts';
import { asyncapi, openapi } from './parcels.ts';
import { replaced, type Files } from './lint-case.ts';

/** A document of the valid contract, and parts of it with what is written in their place, by turns. */
type Edit = readonly [file: 'openapi' | 'asyncapi', ...parts: readonly string[]];

/** A contract that breaks one rule of lint, and one that looks as if it did and does not. */
export interface Finding {
  readonly code: LintCode;
  readonly name: string;
  readonly breaks: Edit;
  /** `code file:line:column` of all that is found. */
  readonly finds: readonly `${LintCode} ${string}:${number}:${number}`[];
  /** What message and help say together. */
  readonly says?: string;
  readonly keeps: Edit;
}

/** Lets the payload of `lost` select schemas by name, and adds one. */
function inherited(schema: string): Edit {
  return [
    'asyncapi',
    '{ name: one, payload: { lost: true } }',
    '{ name: one, payload: { lost: true, kind: Loss } }\n        - { name: two, payload: { lost: true, kind: Theft } }',
    "      properties: { lost: { type: boolean, x-source: '5' } }\n",
    `      required: [kind]\n      discriminator: kind\n      properties: { lost: { type: boolean, x-source: '5' }, kind: { type: string, x-source: '5' } }\n${schema}`,
  ];
}

/** The valid contract with an edit. */
export function edited([file, ...parts]: Edit): Files {
  const texts = { openapi, asyncapi };
  for (let index = 0; index < parts.length; index += 2) {
    texts[file] = replaced(texts[file], parts[index] ?? '', parts[index + 1] ?? '');
  }
  return { 'openapi.yaml': texts.openapi, 'asyncapi.yaml': texts.asyncapi };
}

const state = 'enum: [new, sent]';
const weight = '{ type: number, maximum: 30, ';
const pattern = "pattern: '^[A-Z]+$'";
const operation = 'operationId: getParcel';
const server = 'https://parcels.invalid,';
const summary = '      summary: Reads a parcel.\n';
const oauth = `components:
  securitySchemes:
    login:
      type: oauth2
      x-source: '1'
      flows: { clientCredentials: { tokenUrl: https://parcels.invalid/t, scopes: { read: Reads. } } }
`;
const old = ['openapi: 3.1.2', 'openapi: 3.0.4', ', identifier: MIT', ', url: https://mit.invalid'];
const refused = "\n        '404': { description: There is none., x-source: '2' }";

/** A parcel's code with more keywords, and a ledger entry about its form that has these choices. */
const coded = (keywords: string, choices: string): Edit => [
  'openapi',
  `code: { type: string, ${pattern}`,
  `code: { type: string, ${keywords}x-unstated: { code-form: { source: '3', question: Which?, ${choices} } }`,
];
const at = '$.components.schemas.Parcel.properties.code';
const noFormat = `choices: { date: A date., any: { meaning: Any., actions: [{ target: '${at}.format', remove: true }] } }`;
const aDate = `choices: { any: Any., date: { meaning: A date., actions: [{ target: '${at}', update: { format: date } }] } }`;
const aNumber = `choices: { text: A text., number: { meaning: A number., actions: [{ target: '${at}', update: { type: integer } }] } }`;
const unique = (isUnique: boolean): string =>
  `choices: { any: Any., other: { meaning: Only so., actions: [{ target: '${at}', update: { uniqueItems: ${isUnique} } }] } }`;
const shorter = `choices: { any: Any., short: { meaning: A short text., actions: [{ target: '${at}', update: { maxLength: 5 } }] } }`;

/** A parcel with parts, in a response with a header. */
const listed = (header: string): Edit => [
  'openapi',
  'description: The parcel.\n',
  `description: The parcel.\n          headers: { ${header}: { description: Where., schema: { type: string }, x-source: '2' } }\n`,
  '        code: ',
  "        parts: { type: array, items: { $ref: '#/components/schemas/Parcel' }, x-source: '3' }\n        code: ",
];

/** An access token whose form is open, as a security scheme. */
const token = (scheme: string, assumed: string): Edit => [
  'openapi',
  'security: []\n',
  'security: [{ token: [] }, {}]\n',
  'components:\n',
  `components:
  securitySchemes:
    token:
      ${scheme}
      x-source: '1'
      x-access-token: { operation: getParcel, token: $response.body#/code, value: { unstated: token-form } }
      x-unstated: { token-form: { source: '1', question: How?, ${assumed}choices: { raw: { value: '{token}', meaning: R. }, bearer: { value: 'Bearer {token}', meaning: B. } } } }
`,
];

/** A call with a signature and with a header as a parameter. */
const signedCall = (header: string, required: string, hasTime: boolean): Edit => [
  'openapi',
  'security: []\n',
  'security: [{ seal: [] }]\n',
  "      responses:\n        '200':",
  `        - { name: ${header}, in: header, ${required}schema: { type: string }, x-source: '2' }\n      responses:\n        '200':`,
  'components:\n',
  `components:
  securitySchemes:
    seal:
      type: apiKey
      in: header
      name: x-seal
      x-source: '1'
      x-signature:
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: [${hasTime ? "$timestamp, { text: '.' }, " : ''}$request.body]
        encoding: hex
${hasTime ? '        timestamp: { header: x-time, format: unix-seconds, tolerance: 300 }\n' : ''}`,
];

/** A question about a label, with these choices. */
const labelled = (choices: string): Edit => [
  'asyncapi',
  '    address: /moved\n',
  `    address: /moved\n    x-unstated: { moved-label: { source: '4', question: Is it in the URL?${choices} } }\n`,
];

export const findings: readonly Finding[] = [
  {
    code: 'uncited-fact',
    name: 'a schema without its section',
    breaks: ['openapi', "      type: object\n      x-source: '3'", '      type: object'],
    finds: ['uncited-fact openapi.yaml:34:5'],
    says: 'The schema "Parcel" cites no section of "The parcel book".',
    keeps: ['openapi', "      type: object\n      x-source: '3'", "      x-source: ['3', '4']"],
  },
  {
    code: 'uncited-fact',
    name: 'a response without its section',
    breaks: ['openapi', "none., x-source: '2' }", 'none. }'],
    finds: ['uncited-fact openapi.yaml:31:9'],
    keeps: ['openapi', "none., x-source: '2' }", "none., x-source: ['2'] }"],
  },
  {
    code: 'uncited-fact',
    name: 'a server without its section',
    breaks: ['openapi', ", x-source: '1' }", ' }'],
    finds: ['uncited-fact openapi.yaml:9:5'],
    keeps: ['openapi', ", x-source: '1' }", ", x-source: '1.1' }"],
  },
  {
    code: 'uncited-fact',
    name: 'an address without its section',
    breaks: ['asyncapi', "/moved\n    x-source: '4'", '/moved'],
    finds: ['uncited-fact asyncapi.yaml:9:3'],
    keeps: ['asyncapi', "    address: /moved\n    x-source: '4'\n", ''],
  },
  {
    code: 'uncited-fact',
    name: 'a wire variant without its section',
    breaks: ['asyncapi', "list:\n          x-source: '5'", 'list:'],
    finds: ['uncited-fact asyncapi.yaml:56:9'],
    keeps: ['asyncapi', "list:\n          x-source: '5'", "list:\n          x-source: '6'"],
  },
  {
    code: 'remark-beside-citation',
    name: 'a description that cites a section and mentions a question',
    breaks: [
      'openapi',
      "      type: object\n      x-source: '3'",
      "      type: object\n      description: It can be lost (`lost-or-found`).\n      x-source: '3'",
    ],
    finds: ['remark-beside-citation openapi.yaml:36:7'],
    says: 'The description cites a section and has a remark about an open question: "lost-or-found".',
    keeps: [
      'openapi',
      "      type: object\n      x-source: '3'",
      "      type: object\n      description: It has a `state`.\n      x-note: It can be lost (`lost-or-found`).\n      x-source: '3'",
    ],
  },
  {
    code: 'unanswered-ambiguity',
    name: 'two messages that fit one delivery, and no question about it',
    breaks: [
      'asyncapi',
      "      x-unstated:\n        lost-or-found: { source: '4', question: Can a parcel be lost and found at once? }\n",
      '',
    ],
    finds: ['unanswered-ambiguity asyncapi.yaml:34:5'],
    says: 'One delivery can be "lost" and "found"',
    keeps: [
      'asyncapi',
      "      x-unstated:\n        lost-or-found: { source: '4', question: Can a parcel be lost and found at once? }\n",
      "      x-dedupe-by: [$request.body#/lost]\n      x-unstated:\n        both: { source: '4', question: Both? }\n",
    ],
  },
  {
    code: 'unanswered-ambiguity',
    name: 'a question that only stands for a value',
    breaks: [
      'asyncapi',
      "lost-or-found: { source: '4', question: Can a parcel be lost and found at once? }",
      "twice: { source: '4', question: How?, choices: { no: { value: [], meaning: N. }, so: { value: [$request.body#/lost], meaning: S. } } }\n      x-dedupe-by: { unstated: twice }",
    ],
    finds: ['unanswered-ambiguity asyncapi.yaml:34:5'],
    keeps: [
      'asyncapi',
      "lost-or-found: { source: '4', question: Can a parcel be lost and found at once? }",
      "twice: { source: '4', question: How? }",
    ],
  },
  {
    code: 'unanswered-ambiguity',
    name: 'a question that stands where no condition looks',
    breaks: [
      'asyncapi',
      "      x-unstated:\n        lost-or-found: { source: '4', question: Can a parcel be lost and found at once? }\n      examples:\n        - { name: one, payload: { lost: true } }",
      '      examples:\n        - { name: one, payload: { lost: true } }\n      x-invalid-examples: []',
    ],
    finds: ['unanswered-ambiguity asyncapi.yaml:34:5'],
    keeps: [
      'asyncapi',
      "lost: { type: boolean, x-source: '5' }",
      "lost: { type: boolean, x-source: '5', x-unstated: { or: { source: '5', question: Or? } } }",
    ],
  },
  {
    code: 'answer-although-open',
    name: 'a bearer token that is assumed to have no prefix',
    breaks: token('type: http\n      scheme: bearer', 'assumed: raw, '),
    finds: ['answer-although-open openapi.yaml:36:7'],
    says: '"scheme" contradicts the answer "raw" to "token-form", which is open.',
    keeps: token('type: http\n      scheme: bearer', 'assumed: bearer, '),
  },
  {
    code: 'answer-although-open',
    name: 'a bearer token of which nothing is assumed',
    breaks: token('type: http\n      scheme: bearer', ''),
    finds: ['answer-although-open openapi.yaml:36:7'],
    keeps: token('type: apiKey\n      in: header\n      name: Authorization', ''),
  },
  {
    code: 'answer-although-open',
    name: 'a format that only one answer has',
    breaks: coded('format: date, ', aDate),
    finds: ['answer-although-open openapi.yaml:40:31'],
    says: '"format" already states the answer "date" to "code-form", which is open.',
    keeps: coded('format: date, ', `assumed: date, ${aDate}`),
  },
  {
    code: 'answer-although-open',
    name: 'a format that one answer removes',
    breaks: coded('format: date, ', noFormat),
    finds: ['answer-although-open openapi.yaml:40:31'],
    says: '"format" contradicts the answer "any" to "code-form", which is open.',
    keeps: coded('format: date, ', `assumed: date, ${noFormat}`),
  },
  {
    code: 'answer-although-open',
    name: 'a type that one answer replaces',
    breaks: coded('', aNumber),
    finds: ['answer-although-open openapi.yaml:40:17'],
    keeps: coded('maxLength: 9, ', shorter),
  },
  {
    code: 'answer-although-open',
    name: 'a rule that one answer withdraws, but not one that an answer adds',
    breaks: coded('uniqueItems: true, ', unique(false)),
    finds: ['answer-although-open openapi.yaml:40:31'],
    keeps: coded('uniqueItems: false, ', unique(true)),
  },
  {
    code: 'entry-without-effect',
    name: 'choices of which none changes anything',
    breaks: labelled(', choices: { appended: It is., name-only: It is not. }'),
    finds: ['entry-without-effect asyncapi.yaml:11:19'],
    says: 'No choice of "moved-label" changes the contract',
    // The published documents have a note at an address and a method that an answer would change.
    keeps: labelled(
      ", choices: { appended: It is., name-only: { meaning: N., actions: [{ target: '$.channels.moved.address', remove: true }] } }",
    ),
  },
  {
    code: 'entry-without-effect',
    name: 'choices about a format that no action changes',
    breaks: coded('format: date, ', 'choices: { date: A date., any: Any. }'),
    finds: ['entry-without-effect openapi.yaml:40:59'],
    keeps: coded('format: date, ', 'remark: A date.'),
  },
  {
    code: 'remark-beside-citation',
    name: 'a summary that says what is not stated',
    breaks: ['openapi', summary, '      summary: Reads a parcel. Its size is not stated.\n'],
    finds: ['remark-beside-citation openapi.yaml:16:7'],
    says: 'The summary cites a section and has a remark about an open question: "not stated".',
    keeps: [
      'openapi',
      summary,
      '      summary: Reads a parcel whose size is stated, known or unlisted.\n',
    ],
  },
  {
    code: 'remark-beside-citation',
    name: 'a description that says what is assumed',
    breaks: ['openapi', summary, `${summary}      description: Pounds are assumed.\n`],
    finds: ['remark-beside-citation openapi.yaml:17:7'],
    keeps: ['openapi', summary, `${summary}      description: Pounds are assured.\n`],
  },
  {
    code: 'remark-beside-citation',
    name: 'a description that refers to an entry',
    breaks: [
      'asyncapi',
      "    lost:\n      x-source: '4'\n",
      "    lost:\n      x-source: '4'\n      description: See `lost-or-found`.\n",
    ],
    finds: ['remark-beside-citation asyncapi.yaml:36:7'],
    says: '"lost-or-found"',
    keeps: [
      'asyncapi',
      "    lost:\n      x-source: '4'\n",
      "    lost:\n      x-source: '4'\n      description: See `found-or-lost`.\n",
    ],
  },
  {
    code: 'note-on-settled-entry',
    name: 'a note that names a settled question',
    breaks: [...coded('x-note: Which one is open (`code-form`)., ', 'settled: Letters.')],
    finds: ['note-on-settled-entry openapi.yaml:40:31'],
    says: 'The note mentions "code-form", which is settled.',
    keeps: coded(
      'x-note: { text: Which one is open (`code-form`)., about: code-form }, ',
      'settled: Letters.',
    ),
  },
  {
    code: 'operation-without-success',
    name: 'an operation of which only failures are declared',
    breaks: ['openapi', "'200':", 'default:'],
    finds: ['operation-without-success openapi.yaml:14:5'],
    says: 'Beside other responses, `default` describes failures.',
    keeps: ['openapi', "'200':", "'302':"],
  },
  {
    code: 'signature-header-parameter',
    name: 'a timestamp that the client writes, as a required parameter',
    breaks: signedCall('X-Time', 'required: true, ', true),
    finds: ['signature-header-parameter openapi.yaml:21:11'],
    says: 'requires its callers to pass the header "X-Time". It is the timestamp of "seal"',
    keeps: signedCall('X-Time', '', true),
  },
  {
    code: 'signature-header-parameter',
    name: 'the signature itself',
    breaks: signedCall('X-Seal', 'required: true, ', false),
    finds: ['signature-header-parameter openapi.yaml:21:11'],
    says: 'It is the signature of "seal"',
    keeps: signedCall('X-Other', 'required: true, ', false),
  },
  {
    code: 'several-payloads',
    name: 'a payload from which another schema inherits',
    breaks: [
      ...inherited(
        "    Theft: { x-source: '5', allOf: [{ $ref: '#/components/schemas/Loss' }] }\n",
      ),
    ],
    finds: ['several-payloads asyncapi.yaml:34:5'],
    says: 'The payload of "lost" is one of 2 schemas',
    keeps: [...inherited("    Theft: { x-source: '5', type: object }\n")],
  },
  {
    code: 'unstated-pagination',
    name: 'a list of which a header has the next page',
    breaks: listed('Link'),
    finds: ['unstated-pagination openapi.yaml:14:5'],
    says: 'x-pagination: { items: $response.body#/parts, nextLink: $response.header.link }',
    keeps: listed('Links'),
  },
  {
    code: 'event-without-example',
    name: 'a notification that nothing shows',
    breaks: [
      'asyncapi',
      '      examples:\n        - { name: one, payload: { lost: true } }\n',
      '      summary: Lost.\n',
    ],
    finds: ['event-without-example asyncapi.yaml:34:5'],
    keeps: ['asyncapi', '{ name: one, payload: { lost: true } }', '{ payload: { lost: false } }'],
  },
  {
    code: 'form-without-example',
    name: 'a wire variant that nothing shows',
    breaks: ['asyncapi', '        - { name: two, payload: { moves: [{ target: here }] } }\n', ''],
    finds: ['form-without-example asyncapi.yaml:26:5'],
    says: 'The notification "moved" has no example of the variant "list".',
    keeps: ['asyncapi', '[{ target: here }]', '[{ target: a }, { target: b }]'],
  },
  {
    code: 'form-without-example',
    name: 'a canonical form that nothing shows',
    breaks: ['asyncapi', '        - { name: one, payload: { to: here } }\n', ''],
    finds: ['form-without-example asyncapi.yaml:26:5'],
    says: 'the canonical wire format',
    keeps: [
      'asyncapi',
      'name: one, payload: { to: here }',
      'name: one, payload: { to: x, also: 1 }',
    ],
  },
  {
    code: 'value-without-example',
    name: 'a listed value that nothing shows',
    breaks: ['openapi', state, 'enum: [new, sent, lost]'],
    finds: ['value-without-example openapi.yaml:39:32'],
    says: 'No example has "lost", which "Parcel" lists.',
    keeps: ['openapi', state, 'enum: [sent, new]'],
  },
  {
    code: 'value-without-example',
    name: 'known values of an open list that nothing shows',
    breaks: ['openapi', state, 'x-extensible-enum: [new, gone, lost]'],
    finds: ['value-without-example openapi.yaml:39:32'],
    says: '"gone", "lost"',
    keeps: ['openapi', state, 'x-extensible-enum: [new, sent]'],
  },
  {
    code: 'alternative-without-example',
    name: 'an alternative that nothing shows',
    breaks: ['asyncapi', '        - { name: by-number, payload: { found: { number: 7 } } }\n', ''],
    finds: ['alternative-without-example asyncapi.yaml:76:15'],
    says: 'No example matches 1 of the 2 alternatives of "Find" (number 2).',
    keeps: ['asyncapi', '{ found: { number: 7 } }', '{ found: { number: 7, name: Ann } }'],
  },
  {
    code: 'unmatchable-pattern',
    name: 'anchors that contradict each other',
    breaks: ['openapi', pattern, "pattern: '[A-Z]+^$'"],
    finds: ['unmatchable-pattern openapi.yaml:40:31'],
    keeps: ['openapi', pattern, "pattern: '[A-Z]*^$'"],
  },
  {
    code: 'unbounded-number',
    name: 'a number with neither step nor bound',
    breaks: ['openapi', weight, '{ type: number, format: decimal, '],
    finds: ['unbounded-number openapi.yaml:38:9'],
    says: 'The number "weight" has neither',
    keeps: ['openapi', weight, '{ type: [number, "null"], multipleOf: 0.5, '],
  },
  {
    code: 'unbounded-number',
    name: 'a number or null, bounded on one side alone',
    breaks: ['openapi', weight, '{ type: [number, "null"], minimum: 0, '],
    finds: ['unbounded-number openapi.yaml:38:9'],
    keeps: ['openapi', weight, '{ allOf: [{ type: number }], exclusiveMaximum: 30, '],
  },

  {
    code: 'redocly/info-license',
    name: 'no licence',
    breaks: ['openapi', '  license: { name: MIT, identifier: MIT }\n', ''],
    finds: ['redocly/info-license openapi.yaml:2:1'],
    keeps: ['openapi', 'identifier: MIT', 'url: https://opensource.org/license/mit'],
  },
  {
    code: 'redocly/info-license-strict',
    name: 'a licence by its name alone',
    breaks: ['asyncapi', ", url: 'https://opensource.org/license/mit'", ''],
    finds: ['redocly/info-license-strict asyncapi.yaml:5:3'],
    keeps: ['openapi', 'name: MIT, identifier: MIT', 'name: ISC, identifier: ISC'],
  },
  {
    code: 'redocly/no-ambiguous-paths',
    name: 'a path that fits two templates',
    breaks: [
      'openapi',
      'paths:\n',
      "paths:\n  /{kind}/new:\n    get: { operationId: all, parameters: [{ name: kind, in: path, required: true, schema: { type: string }, x-source: '2' }], summary: All., x-source: '2', responses: { 2XX: { description: A., x-source: '2' }, 4XX: { description: B., x-source: '2' } } }\n",
    ],
    finds: ['redocly/no-ambiguous-paths openapi.yaml:15:3'],
    keeps: [
      'openapi',
      'paths:\n',
      "paths:\n  /all:\n    get: { operationId: all, summary: All., x-source: '2', responses: { 2XX: { description: A., x-source: '2' }, 4XX: { description: B., x-source: '2' } } }\n",
    ],
  },
  {
    code: 'redocly/no-duplicated-enum-values',
    name: 'a value that is listed twice',
    breaks: ['openapi', state, 'enum: [new, sent, new]'],
    finds: ['redocly/no-duplicated-enum-values openapi.yaml:39:50'],
    keeps: ['openapi', state, 'enum: [new, sent]'],
  },
  {
    code: 'redocly/no-empty-servers',
    name: 'no server',
    breaks: [
      'openapi',
      "servers:\n  - { url: https://parcels.invalid, x-source: '1' }\n",
      'servers: []\n',
    ],
    finds: ['redocly/no-empty-servers openapi.yaml:8:1'],
    keeps: ['openapi', server, '/parcels,'],
  },
  {
    code: 'redocly/no-example-value-and-externalValue',
    name: 'an example in two places',
    breaks: ['openapi', 'new: { value', 'new: { externalValue: https://parcels.invalid/new, value'],
    finds: ['redocly/no-example-value-and-externalValue openapi.yaml:29:68'],
    keeps: ['openapi', 'new: { value', 'new: { summary: New., value'],
  },
  {
    code: 'redocly/no-illogical-composition-keywords',
    name: 'a choice of one',
    breaks: ['openapi', weight, '{ oneOf: [{ type: integer }], '],
    finds: ['redocly/no-illogical-composition-keywords openapi.yaml:38:19'],
    keeps: ['openapi', weight, '{ allOf: [{ type: integer }], '],
  },
  {
    code: 'redocly/no-mixed-number-range-constraints',
    name: 'two bounds on one side',
    breaks: ['openapi', weight, '{ type: number, maximum: 30, exclusiveMaximum: 40, '],
    finds: ['redocly/no-mixed-number-range-constraints openapi.yaml:38:46'],
    keeps: ['openapi', weight, '{ type: number, minimum: 0, exclusiveMaximum: 40, '],
  },
  {
    code: 'redocly/no-path-trailing-slash',
    name: 'a slash at the end of a path',
    breaks: ['openapi', '/parcels/{id}:', '/parcels/{id}/:'],
    finds: ['redocly/no-path-trailing-slash openapi.yaml:13:3'],
    keeps: ['openapi', '/parcels/{id}:', '/parcels/{id}/as-is:'],
  },
  {
    code: 'redocly/no-schema-type-mismatch',
    name: 'items of what is not an array',
    breaks: ['openapi', `string, ${pattern}`, 'object, items: { type: string }'],
    finds: ['redocly/no-schema-type-mismatch openapi.yaml:40:31'],
    keeps: ['openapi', `string, ${pattern}`, 'array, items: { type: string }'],
  },
  {
    code: 'redocly/no-server-example.com',
    name: 'a server at a reserved example domain',
    breaks: ['openapi', server, 'https://example.com,'],
    finds: ['redocly/no-server-example.com openapi.yaml:9:7'],
    keeps: ['openapi', server, 'https://example.invalid,'],
  },
  {
    code: 'redocly/no-server-trailing-slash',
    name: 'a slash at the end of a server',
    breaks: ['openapi', server, 'https://parcels.invalid/,'],
    finds: ['redocly/no-server-trailing-slash openapi.yaml:9:7'],
    keeps: ['openapi', server, 'https://parcels.invalid/v1,'],
  },
  {
    code: 'redocly/no-server-variables-empty-enum',
    name: 'a server variable without values',
    breaks: [
      'openapi',
      server,
      "'https://{a}.invalid', variables: { a: { default: b, enum: [c] } },",
    ],
    finds: ['redocly/no-server-variables-empty-enum openapi.yaml:8:1'],
    keeps: [
      'openapi',
      server,
      "'https://{a}.invalid', variables: { a: { default: b, enum: [b] } },",
    ],
  },
  {
    code: 'redocly/no-unsafe-markdown',
    name: 'a description that runs code',
    breaks: ['openapi', summary, `${summary}      description: '<script>alert(1)</script>'\n`],
    finds: ['redocly/no-unsafe-markdown openapi.yaml:17:7'],
    keeps: ['openapi', summary, `${summary}      description: 'Runs **no** code.'\n`],
  },
  {
    code: 'redocly/no-unused-components',
    name: 'a schema that nothing refers to',
    breaks: ['openapi', 'schemas:\n', "schemas:\n    Other: { type: string, x-source: '3' }\n"],
    finds: ['redocly/no-unused-components openapi.yaml:34:5'],
    keeps: ['openapi', 'schemas:\n', 'schemas:\n    # Others will follow.\n'],
  },
  {
    code: 'redocly/operation-4xx-response',
    name: 'no answer of refusal',
    breaks: ['openapi', refused, ''],
    finds: ['redocly/operation-4xx-response openapi.yaml:21:7'],
    keeps: ['openapi', "'404':", '4XX:'],
  },
  {
    code: 'redocly/operation-operationId',
    name: 'an operation without a name',
    breaks: ['openapi', `      ${operation}\n`, ''],
    finds: ['redocly/operation-operationId openapi.yaml:14:5'],
    keeps: ['openapi', operation, 'operationId: get_parcel'],
  },
  {
    code: 'redocly/operation-operationId-url-safe',
    name: 'a name that no URL takes',
    breaks: ['openapi', operation, 'operationId: get parcel'],
    finds: ['redocly/operation-operationId-url-safe openapi.yaml:15:7'],
    keeps: ['openapi', operation, 'operationId: get-parcel'],
  },
  {
    code: 'redocly/operation-summary',
    name: 'an operation without a summary',
    breaks: ['openapi', summary, ''],
    finds: ['redocly/operation-summary openapi.yaml:14:5'],
    keeps: ['openapi', summary, '      summary: Reads.\n'],
  },
  {
    code: 'redocly/security-defined',
    name: 'an operation without security requirements',
    breaks: ['openapi', 'security: []\n', ''],
    finds: ['redocly/security-defined openapi.yaml:13:5'],
    keeps: ['openapi', operation, `security: []\n      ${operation}`],
  },
  {
    code: 'redocly/security-scopes-defined',
    name: 'a scope that its scheme does not have',
    breaks: [
      'openapi',
      'security: []\n',
      'security: [{ login: [write] }]\n',
      'components:\n',
      oauth,
    ],
    finds: ['redocly/security-scopes-defined openapi.yaml:10:22'],
    keeps: ['openapi', 'security: []\n', 'security: [{ login: [read] }]\n', 'components:\n', oauth],
  },
  {
    code: 'redocly/tag-description',
    name: 'a tag that says nothing',
    breaks: ['openapi', '{ name: parcels, description: What is sent. }', '{ name: parcels }'],
    finds: ['redocly/tag-description openapi.yaml:11:8'],
    keeps: ['openapi', 'description: What is sent.', 'description: Boxes.'],
  },
  {
    code: 'redocly/nullable-type-sibling',
    name: 'nullable without a type, in OpenAPI 3.0',
    breaks: ['openapi', ...old, 'type: string, pattern', 'nullable: true, pattern'],
    finds: ['redocly/nullable-type-sibling openapi.yaml:40:17'],
    keeps: ['openapi', ...old, 'type: string, pattern', 'type: string, nullable: true, pattern'],
  },
  {
    code: 'redocly/spec-ref-siblings',
    name: 'members beside a reference, in OpenAPI 3.0',
    breaks: [
      'openapi',
      ...old,
      "{ $ref: '#/components/schemas/Parcel' }",
      "{ $ref: '#/components/schemas/Parcel', title: One }",
    ],
    finds: ['redocly/spec-ref-siblings openapi.yaml:27:62'],
    keeps: [
      'openapi',
      ...old,
      "{ $ref: '#/components/schemas/Parcel' }",
      "{ allOf: [{ $ref: '#/components/schemas/Parcel' }], title: One }",
    ],
  },
];
