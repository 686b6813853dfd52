import type { Breach, Observance } from '../rule-case.ts';
import { message, openapi } from './documents.ts';

const signed = (over: string, more = ''): string => `      x-signature:
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        encoding: hex
        over:
${over}${more}`;

const tokens = (accessToken: string): string =>
  openapi(`paths:
  /token:
    post:
      operationId: issueToken
      responses:
        2XX: { $ref: '#/components/responses/issued' }
components:
  responses:
    issued:
      description: Done.
      content: { application/json: { schema: { $ref: '#/components/schemas/Token' } } }
  schemas:
    Token: { type: object, properties: { token: { type: string }, life: { type: object, properties: { seconds: {} } } } }
  securitySchemes:
    bearer:
      type: http
      scheme: bearer
      x-access-token:
${accessToken}`);

export const breaches: readonly Breach[] = [
  {
    name: 'a signature over headers that nothing declares',
    rule: 'declared-headers',
    code: 'undeclared-header',
    files: {
      'openapi.yaml': openapi(`paths: {}
components:
  securitySchemes:
    signature:
      type: apiKey
      in: header
      name: x-signature
${signed(
  `          - $request.header.x-timestamp # here
          - { unstated: which }
`,
  `        timestamp:
          header: x-time # here
          format: unix-seconds
          tolerance: 300
`,
)}x-unstated:
  which:
    source: '1'
    question: Which header?
    choices:
      name: { value: $request.header.x-signature, meaning: That. }
      none: 
        value: $request.header.x-none # here
        meaning: None.
`),
    },
  },
  {
    name: 'a message that is identified by a header which only another message declares',
    rule: 'declared-headers',
    code: 'undeclared-header',
    says: 'for this message',
    files: {
      'asyncapi.yaml': message(
        `payload: {}
x-identified-by:
  $request.header.X-Kind: { const: ordered } # here
x-dedupe-by:
  - $request.header.x-delivery # here
`,
        `    other: { payload: {}, headers: { type: object, properties: { x-kind: {}, x-delivery: {} } } }
`,
      ),
    },
  },
  {
    name: 'a header that must be absent and that no message has',
    rule: 'declared-headers',
    code: 'undeclared-header',
    files: {
      'asyncapi.yaml': message(`payload: {}
x-identified-by:
  $request.header.x-knid: false # here
`),
    },
  },
  {
    name: 'an operation that issues no token because it does not exist',
    rule: 'access-token-operation',
    code: 'undeclared-name',
    helps: '"issueToken"',
    files: {
      'openapi.yaml': tokens(`        operation: issueTokens # here
        token: $response.body#/token
        value: '{token}'
`),
    },
  },
  {
    name: 'a token and a lifetime where the response has no such member',
    rule: 'declared-members',
    code: 'undeclared-name',
    files: {
      'openapi.yaml': tokens(`        operation: issueToken
        token: $response.body#/access_token # here
        lifetime: $response.body#/life/minutes # here
        value: '{token}'
`),
    },
  },
  {
    name: 'a token where only the failures of `default` have the member',
    rule: 'declared-members',
    code: 'undeclared-name',
    files: {
      'openapi.yaml': tokens(`        operation: issueToken
        token: $response.body#/reason # here
        value: '{token}'
`).replace(
        "2XX: { $ref: '#/components/responses/issued' }",
        "2XX: { $ref: '#/components/responses/issued' }\n        default: { description: No., content: { application/json: { schema: { properties: { reason: {} } } } } }",
      ),
    },
  },
  {
    name: 'a message that is identified by a member which its payload does not have',
    rule: 'declared-members',
    code: 'undeclared-name',
    files: {
      'asyncapi.yaml': message(`payload:
  type: object
  properties:
    order: { allOf: [{ type: object, properties: { kind: {} } }, { properties: { id: {} } }] }
    items: { type: array, items: { type: object, properties: { id: {} } } }
x-identified-by:
  - $request.body#/order/Kind: { const: a } # here
  - $request.body#/items/0/key: {} # here
x-dedupe-by:
  - $request.body#/order/key # here
x-ordered-by:
  - $request.body#/order/other # here
`),
    },
  },
  {
    name: 'a webhook that is identified by a member which its body does not have',
    rule: 'declared-members',
    code: 'undeclared-name',
    files: {
      'openapi.yaml': openapi(`webhooks:
  ordered:
    post:
      x-identified-by:
        $request.body#/knd: { const: ordered } # here
      requestBody: { content: { application/json: { schema: { type: object, properties: { kind: {} } } } } }
      responses: { 2XX: { description: Done. } }
`),
    },
  },
  {
    name: 'a member that must be absent and that no payload has',
    rule: 'declared-members',
    code: 'undeclared-name',
    says: 'No payload of the contract',
    files: {
      'asyncapi.yaml': message(`payload: { type: object, properties: { kind: {} } }
x-identified-by:
  $request.body#/knid: false # here
`),
    },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'headers that are declared as parameters, keys, properties, in traits and bindings, in any case',
    code: 'undeclared-header',
    files: {
      'openapi.yaml': openapi(`paths:
  /a:
    parameters: [{ $ref: '#/components/parameters/time' }]
    get: { responses: { 2XX: { description: Done. } } }
webhooks:
  ordered:
    parameters: [{ name: X-Kind, in: header, schema: { type: string } }]
    post:
      x-identified-by: { $request.header.x-kind: {}, $request.header.Content-Type: {} }
      responses: { 2XX: { description: Done. } }
components:
  parameters: { time: { name: X-Time, in: header, schema: { type: string } } }
  securitySchemes:
    signature:
      type: apiKey
      in: header
      name: x-signature
${signed(`          - $request.header.x-time
          - $request.header.x-delivery
          - $request.header.X-KEY
          - $request.header.host
`)}`),
      'asyncapi.yaml': message(
        `payload: {}
headers: { allOf: [{ type: object, properties: { x-kind: {} } }] }
bindings: { http: { headers: { type: object, properties: { x-binding: {} } } } }
traits: [{ headers: { type: object, properties: { x-delivery: {} } } }]
x-identified-by: { $request.header.X-Kind: {}, $request.header.x-binding: {}, $request.header.x-time: false }
x-dedupe-by: [$request.header.X-Delivery]
`,
        `  securitySchemes: { key: { type: httpApiKey, in: header, name: x-key } }
`,
      ),
    },
  },
  {
    name: 'the header of a timestamp that clients write beside the signature of a call',
    code: 'undeclared-header',
    files: {
      'openapi.yaml': openapi(`security: [{ of-all: [] }]
paths:
  /a: { get: { responses: { 2XX: { description: Done. } } } }
  /b: { get: { security: [{ of-one: [] }], responses: { 2XX: { description: Done. } } } }
components:
  securitySchemes:
${['of-all', 'of-one']
  .map(
    (name) => `    ${name}:
      type: apiKey
      in: header
      name: x-signature
${signed('          - $timestamp\n', `        timestamp: { header: x-time-${name}, format: unix-seconds, tolerance: 300 }\n`)}`,
  )
  .join('')}`),
    },
  },
  {
    name: 'members that are declared, of open maps, of another wire variant, or of what nothing describes',
    code: 'undeclared-name',
    files: {
      'asyncapi.yaml': message(
        `payload: { $ref: '#/components/schemas/Order' }
x-identified-by:
  - { $request.body#/state: {}, $request.body#/tags/any/thing: {}, $request.body#/items/0/id: {} }
  - { $request.body#/anything/at/all: {}, $request.body#/other: false, $request.body#: {}, $request.body: {} }
  - { $request.body#/next/next/state: {} }
x-dedupe-by: [$request.body#/alternative]
x-ordered-by: [$request.body#/alternative]
`,
        `    another: { payload: { type: object, properties: { other: {} } } }
  schemas:
    Order:
      type: object
      x-variants: { list: { when: { $request.body#/orders: { type: array }, $request.body#/orders/0/thing: false }, each: /orders, as: '' } }
      properties:
        state: {}
        anything: { description: It is unknown. }
        tags: { type: object, additionalProperties: { type: object, additionalProperties: true } }
        items: { type: array, items: { type: object, properties: { id: {} } } }
        next: { $ref: '#/components/schemas/Order' }
      oneOf: [{ properties: { alternative: {} } }, { properties: { else: {} } }]
`,
      ),
    },
  },
  {
    name: 'a token that the response has',
    code: 'undeclared-name',
    files: {
      'openapi.yaml': tokens(`        operation: issueToken
        token: $response.body#/token
        lifetime: $response.body#/life/seconds
        value: '{token}'
`),
    },
  },
];
