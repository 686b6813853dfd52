import type { Breach, Observance } from '../rule-case.ts';
import { asyncapi, indent, openapi } from './documents.ts';

const withSignature = (encoding: string, unstated: string): string =>
  openapi(`paths: {}
components:
  securitySchemes:
    signature:
      type: apiKey
      in: header
      name: x-signature
      x-signature:
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: [$request.body]
        encoding: ${encoding}
x-unstated:
${indent(unstated, 2)}`);

/** A call whose repetition a question decides. */
const withRepetition = (assumed: string): string =>
  openapi(`paths:
  /act:
    post:
      x-repeatable: { unstated: repeat }
      responses: { 2XX: { description: Done. } }
x-unstated:
  repeat:
    source: '1'
    question: May it be repeated?
    choices: { often: { value: true, meaning: It may. }, once: { value: false, meaning: It may not. } }
${assumed}`);

/** A call that may be repeated with its request id, as two answers decide. */
const withRequestId = (repeats: string, retries: string): string =>
  openapi(`paths:
  /act:
    post:
      operationId: act
      parameters:
        - name: x-request-id
          in: header
          schema: { type: string }
          x-every-request: { value: uuid, retry: { unstated: id-on-retry } }
      responses: { 2XX: { description: Done. } }
x-unstated:
  repeated-call:
    source: '1'
    question: What happens to a call that arrives twice?
    choices:
      ignored:
        meaning: It is recognized by its id.
        actions:
          - target: $.paths[*][?@.operationId]
            update: { x-repeatable: { keeps: $request.header.X-Request-Id } }
      executed: It is executed twice.
${repeats}
  id-on-retry:
    source: '1'
    question: Does a repetition carry the same id?
    choices: { same: { value: keep, meaning: Yes. }, other: { value: renew, meaning: No. } }
${retries}`);

export const breaches: readonly Breach[] = [
  {
    name: 'two answers that contradict each other about the repetition of a call',
    rule: 'kept-values',
    code: 'unkept-value',
    says: 'The answer "ignored" to "repeated-call" declares that a call may be repeated only with the same value of "$request.header.X-Request-Id", but by the answer "other" to "id-on-retry" every attempt carries a new one.',
    files: {
      'openapi.yaml': withRequestId('    settled: ignored # here\n', '    settled: other\n'),
    },
  },
  {
    name: 'a call that is repeated with the same timestamp',
    rule: 'kept-values',
    code: 'unkept-value',
    says: 'The contract declares that a call may be repeated only with the same value of "$request.query.time", but by `x-every-request`',
    files: {
      'openapi.yaml': openapi(`paths:
  /act:
    post:
      x-repeatable: { keeps: $request.query.time } # here
      parameters:
        - name: time
          in: query
          schema: { type: string }
          x-every-request: timestamp
      responses: { 2XX: { description: Done. } }
`),
    },
  },
  {
    name: 'a call that is repeated with the same value of a parameter that it does not have',
    rule: 'kept-values',
    code: 'undeclared-name',
    says: 'it has no such parameter',
    files: {
      'openapi.yaml': openapi(`paths:
  /act:
    post:
      operationId: act
      x-repeatable: { keeps: $request.header.x-id } # here
      responses: { 2XX: { description: Done. } }
    get:
      operationId: read
      x-repeatable: { keeps: $request.header.x-id }
      responses: { 2XX: { description: Done. } }
`),
    },
  },
  {
    name: 'an assumption that has a call repeated with the same id',
    rule: 'assumed-repetition',
    code: 'invalid-extension',
    says: 'assumes that a call may be repeated',
    files: {
      'openapi.yaml': withRepetition('    assumed: often # here\n').replace(
        'value: true',
        'value: { keeps: $request.header.id }',
      ),
    },
  },
  {
    name: 'an assumption that has a call repeated',
    rule: 'assumed-repetition',
    code: 'invalid-extension',
    says: 'assumes that a call may be repeated',
    helps: 'with the value `false`',
    files: { 'openapi.yaml': withRepetition('    assumed: often # here\n') },
  },
  {
    name: 'a question that is not in the ledger',
    rule: 'unstated-references',
    code: 'undeclared-name',
    says: '"signature-encodng"',
    helps: '"signature-encoding"',
    files: {
      'openapi.yaml': withSignature(
        '{ unstated: signature-encodng } # here',
        `signature-encoding: { source: '1', question: Which?, choices: { hex: Hex., base64: Base. } }
`,
      ),
    },
  },
  {
    name: 'a question without choices where a value is waited for',
    rule: 'unstated-references',
    code: 'undeclared-name',
    says: 'no choices',
    files: {
      'openapi.yaml': withSignature(
        '{ unstated: encoding } # here',
        `encoding: { source: '1', question: Which? }
`,
      ),
    },
  },
  {
    name: 'choices that do not fit the place that waits for them',
    rule: 'unstated-references',
    code: 'invalid-extension',
    says: '"encoding"',
    files: {
      'openapi.yaml': withSignature(
        '{ unstated: encoding }',
        `encoding:
  source: '1'
  question: Which?
  choices:
    hex: Fits.
    base-64: Does not. # here
    base64: 
      value: base65 # here
      meaning: Nor does this.
`,
      ),
    },
  },
  {
    name: 'an assumption and an answer that are not a choice',
    rule: 'ledger-answers',
    code: 'undeclared-name',
    helps: 'Did you mean "local"?',
    files: {
      'openapi.yaml': openapi(`paths: {}
x-unstated:
  zone:
    source: '1'
    question: Which zone?
    choices: { utc: Universal., local: Of the shop. }
    assumed: locale # here
  day:
    source: '1'
    question: Which day?
    choices: { local: Of the shop., utc: Universal. }
    settled: locals # here
`),
    },
  },
  {
    name: 'an answer that requires another one than the settled one',
    rule: 'required-answers',
    code: 'contradicting-answers',
    says: 'The answer "utc" to "zone" requires the answer "always" to "offset", which is settled as "never".',
    files: {
      'openapi.yaml': openapi(`paths: {}
x-unstated:
  zone:
    source: '1'
    question: Which zone?
    choices:
      utc: { meaning: Universal., requires: { offset: always } }
      local: { meaning: Of the shop., requires: { offset: never } }
    settled: utc # here
  offset:
    source: '1'
    question: Is there an offset?
    choices: { always: Yes., never: No. }
    settled: never
`),
    },
  },
  {
    name: 'an answer that requires what the ledger does not have',
    rule: 'required-answers',
    code: 'undeclared-name',
    files: {
      'openapi.yaml': openapi(`paths: {}
x-unstated:
  zone:
    source: '1'
    question: Which zone?
    choices:
      utc: { meaning: Universal., requires: { ofset: always } } # here
      local:
        meaning: Of the shop.
        requires: { offset: nevr } # here
  offset:
    source: '1'
    question: Is there an offset?
    choices: { always: Yes., never: No. }
`),
    },
  },
  {
    name: 'presumed answers that are not in the ledger',
    rule: 'presumed-answers',
    code: 'undeclared-name',
    helps: 'Did you mean',
    files: {
      'openapi.yaml': openapi(`webhooks:
  push:
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { 2XX: { description: Done. } }
      x-invalid-examples:
        - { name: a, payload: 1, violates: { at: '', keyword: type } }
      x-presumes:
        a: { zon: utc } # here
        '*':
          zone: locale # here
x-unstated:
  zone:
    source: '1'
    question: Which zone?
    choices: { utc: Universal., local: Of the shop. }
`),
    },
  },
  {
    name: 'an answer that changes nothing',
    rule: 'settled-answers',
    code: 'settled-without-effect',
    says: 'The answer "local" to "zone" changes nothing',
    helps: 'Add `actions` to the choice',
    files: {
      'openapi.yaml': openapi(`paths: {}
x-unstated:
  zone:
    source: '1'
    question: Which zone?
    choices: { utc: { meaning: Universal. }, local: { meaning: Of the shop. } }
    settled: local # here
  day:
    source: '1'
    question: Which day?
    documentation: true
    settled: The day of the shop.
`),
    },
  },
  {
    name: 'one id for two questions, in two documents',
    rule: 'ledger-ids',
    code: 'conflicting-unstated',
    says: 'openapi.yaml:5',
    files: {
      'openapi.yaml': openapi(`paths: {}
x-unstated:
  zone: { source: '1', question: Which zone? }
`),
      'asyncapi.yaml': asyncapi(`channels: {}
x-unstated:
  zone: { source: '1', question: Which time zone? } # here
`),
    },
  },
];

export const observances: readonly Observance[] = [
  ...(
    [
      ['the same id', '    settled: ignored\n', '    settled: same\n'],
      ['an id that the client decides about', '    settled: ignored\n', '    assumed: other\n'],
      ['a call that is executed twice', '    settled: executed\n', '    settled: other\n'],
    ] as const
  ).map(([name, repeats, retries]): Observance => ({
    name: `answers about the repetition of a call: ${name}`,
    code: 'unkept-value',
    files: { 'openapi.yaml': withRequestId(repeats, retries) },
  })),
  {
    name: 'an assumption that has a call sent once, and an answer that has it repeated',
    code: 'invalid-extension',
    files: {
      'openapi.yaml': withRepetition('    assumed: once\n    settled: often\n'),
    },
  },
  {
    name: 'answers that are choices, and a sentence where there are none',
    code: 'undeclared-name',
    files: {
      'openapi.yaml': withSignature(
        '{ unstated: encoding }',
        `encoding: { source: '1', question: Which?, choices: { hex: Hex., base64: Base. }, assumed: hex, settled: base64 }
open: { source: '1', question: Why?, settled: Because it was not asked. }
`,
      ),
    },
  },
  {
    name: 'presumed answers: one of the ledger, and one of a part that is not selected',
    code: 'undeclared-name',
    files: {
      'openapi.yaml': openapi(`paths: {}
x-presumes: { a: { zone: utc }, b: { quite-different: utc } }
x-unstated: { zone: { source: '1', question: Which?, choices: { utc: U., local: L. } } }
`),
    },
  },
  {
    name: 'choices whose values fit',
    code: 'invalid-extension',
    files: {
      'openapi.yaml': withSignature(
        '{ unstated: encoding }',
        `encoding: { source: '1', question: Which?, choices: { hexadecimal: { value: hex, meaning: Hex. }, base64: Base. } }
`,
      ),
    },
  },
  {
    name: 'an entry that both documents reach in one file, its members in another order',
    code: 'conflicting-unstated',
    files: {
      'openapi.yaml': openapi(
        "paths: {}\ncomponents: { schemas: { Order: { $ref: ./Order.yaml } } }\nx-unstated: { zone: { question: Which?, source: '1' } }\n",
      ),
      'asyncapi.yaml': asyncapi(
        "channels: {}\ncomponents: { schemas: { Order: { $ref: ./Order.yaml } } }\nx-unstated: { zone: { source: '1', question: Which? } }\n",
      ),
      'Order.yaml': "type: object\nx-unstated: { form: { source: '1', question: Which form? } }\n",
    },
  },
];
