import type { Breach, Observance } from '../rule-case.ts';
import { asyncapi, message, openapi, schemas } from './documents.ts';

const scheme = (signature: string): string =>
  openapi(`paths: {}
components:
  securitySchemes:
    signature:
      type: apiKey
      in: header
      name: x-signature
      x-signature:
${signature}`);

export const breaches: readonly Breach[] = [
  {
    name: 'a key on the wrong object of a document that does not declare the vocabulary',
    rule: 'extensions',
    code: 'invalid-extension',
    says: 'it belongs on a message or webhook, and this is',
    severity: 'warning',
    files: {
      'openapi.yaml': openapi(
        `paths: {}
webhooks:
  push:
    x-identified-by: { $request.header.x-event: { const: push } } # here
    post: { x-github: {}, responses: { '200': { description: Done. } } }
`,
        'x-anything: 1',
      ),
    },
  },
  {
    name: 'an invalid value in a document that does not declare the vocabulary',
    rule: 'extensions',
    code: 'invalid-extension',
    severity: 'warning',
    files: {
      'openapi.yaml': openapi(
        `paths: {}
webhooks:
  paid:
    post:
      x-dedupe-by: $request.body.id # here
      x-ordered-by: [$request.query.id, id] # here
      x-identified-by: { $request.body#/type: { const: 1, required: true } } # here
      responses: { '200': { description: Done. } }
components:
  schemas:
    Order: { x-note: { any: 1 }, x-source: 7, x-enum-varnames: 1 }
`,
        'x-anything: 1',
      ),
    },
  },
  {
    name: 'an invalid signature or secret in a document that does not declare the vocabulary',
    rule: 'extensions',
    code: 'invalid-extension',
    severity: 'error',
    files: {
      'openapi.yaml': openapi(
        `paths: {}
components:
  securitySchemes:
    signature:
      type: apiKey
      in: header
      name: x-signature
      x-signature:
        algorithm: hmac-sha256
        key: { encoding: utf-8 } # here
        over: [$request.body]
        encoding: hex
    inBody:
      type: apiKey
      in: header
      name: none
      x-body-signature:
        algorithm: sha256 # here
        key: { credential: secret, encoding: utf-8 }
        over: [id] # here
        separator: ''  # here
        encoding: hex
        signature: /signature
    incomplete:
      type: apiKey
      in: header
      name: none
      x-body-signature: # here
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: [/id]
        encoding: hex
        signature: /signature
    inPath: { type: apiKey, in: query, name: key, x-in-path: 'true' } # here
`,
        'x-anything: 1',
      ),
    },
  },
  {
    name: 'a misspelt key in a document that does not declare the vocabulary',
    rule: 'extensions',
    code: 'unknown-extension',
    says: '"x-dedup-by"',
    helps: 'Did you mean "x-dedupe-by"?',
    severity: 'warning',
    files: {
      'openapi.yaml': openapi(
        `paths: {}
webhooks:
  paid:
    post:
      x-dedup-by: [$request.body#/id] # here
      x-sources: 1
      x-notes: 1
      responses: { '200': { description: Done. } }
`,
        'x-anything: 1',
      ),
    },
  },
  {
    name: 'a misspelt key, with the key that was meant',
    rule: 'extensions',
    code: 'unknown-extension',
    says: '"x-souce"',
    helps: 'Did you mean "x-source"?',
    severity: 'error',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  x-souce: '1' # here
`),
    },
  },
  {
    name: 'a misspelt key in every kind of object that takes extensions',
    rule: 'extensions',
    code: 'unknown-extension',
    helps: 'Did you mean "x-source"?',
    files: {
      'openapi.yaml': openapi(`x-sorce: '1' # here
servers:
  - url: https://{env}.test
    x-sorce: '1' # here
    variables:
      env:
        default: live
        x-sorce: '1' # here
tags:
  - name: orders
    x-sorce: '1' # here
paths:
  x-sorce: '1' # here
  /a:
    x-sorce: '1' # here
    post:
      x-sorce: '1' # here
      parameters:
        - name: q
          in: query
          x-sorce: '1' # here
          schema:
            type: object
            x-sorce: '1' # here
            properties:
              a:
                items:
                  x-sorce: '1' # here
      requestBody:
        x-sorce: '1' # here
        content:
          application/json:
            x-sorce: '1' # here
            encoding:
              a:
                x-sorce: '1' # here
            examples:
              a:
                x-sorce: '1' # here
                value: {}
      responses:
        x-sorce: '1' # here
        2XX:
          description: Done.
          x-sorce: '1' # here
          headers:
            x-id:
              x-sorce: '1' # here
              schema: {}
          links:
            next:
              operationId: a
              x-sorce: '1' # here
components:
  x-sorce: '1' # here
  securitySchemes:
    login:
      type: oauth2
      x-sorce: '1' # here
      flows:
        x-sorce: '1' # here
        clientCredentials:
          tokenUrl: /token
          scopes: {}
          x-sorce: '1' # here
`),
      'asyncapi.yaml': asyncapi(`x-sorce: '1' # here
servers:
  live:
    host: live.test
    protocol: https
    x-sorce: '1' # here
channels:
  orders:
    x-sorce: '1' # here
    address: /{id}
    parameters:
      id:
        x-sorce: '1' # here
    messages:
      ordered:
        x-sorce: '1' # here
        headers:
          x-sorce: '1' # here
          type: object
        correlationId:
          location: $message.header#/id
          x-sorce: '1' # here
        examples:
          - payload: {}
            x-sorce: '1' # here
        traits:
          - x-sorce: '1' # here
operations:
  sendOrdered:
    action: send
    channel: { $ref: '#/channels/orders' }
    x-sorce: '1' # here
    bindings:
      http:
        method: POST
        x-sorce: '1' # here
        query:
          type: object
          x-sorce: '1' # here
    reply:
      x-sorce: '1' # here
`),
    },
  },
  {
    name: 'a section that YAML reads as a number',
    rule: 'extensions',
    code: 'invalid-extension',
    says: 'must be a string',
    helps: 'quotes',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  x-source: 2.10 # here
  properties:
    id:
      x-source:
        - '2.1'
        - 2.10 # here
`),
    },
  },
  {
    name: 'an unknown member, a wrong choice and a missing member of a signature, each where it is',
    rule: 'extensions',
    code: 'invalid-extension',
    files: {
      'openapi.yaml': scheme(`        algorithm: md5 # here
        key: # here
          encoding: utf-8
          credentia: secret # here
        over: [$request.body]
        encoding: hex
        seperator: ',' # here
`),
    },
  },
  {
    name: 'a text that is not a runtime expression',
    rule: 'extensions',
    code: 'invalid-extension',
    files: {
      'openapi.yaml': scheme(`        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over:
          - $request.body
          - $reqest.body # here
        encoding: hex
`),
      'asyncapi.yaml': message(`payload: { type: object, properties: { id: {} } }
x-identified-by:
  request.body#/id: {} # here
`),
    },
  },
  {
    name: 'a key that is not a runtime expression, with what it has to be',
    rule: 'extensions',
    code: 'invalid-extension',
    says: 'has the key "$reqest.body#/id", which must be a runtime expression',
    files: {
      'asyncapi.yaml': message(`payload: { type: object, properties: { id: {} } }
x-identified-by:
  $reqest.body#/id: {} # here
`),
    },
  },
  {
    name: 'a condition that is not JSON Schema',
    rule: 'extensions',
    code: 'invalid-extension',
    files: {
      'asyncapi.yaml': message(`payload: { type: object, properties: { id: {}, no: {} } }
x-identified-by:
  - $request.body#/id:
      type: strng # here
  - $request.body#/no: true # here
`),
    },
  },
  {
    name: 'a key on an object where it means nothing',
    rule: 'extensions',
    code: 'invalid-extension',
    says: 'belongs on',
    files: {
      'openapi.yaml': openapi(`paths: {}
components:
  schemas:
    Order:
      x-signature: {} # here
      x-every-request: uuid # here
      x-dedupe-by: [$request.body#/id] # here
      x-ordered-by: [$request.body#/id] # here
      x-repeatable: true # here
      x-source-document: Manual # here
  parameters:
    id:
      name: id
      in: query
      schema: {}
      x-variants: {} # here
`),
    },
  },
  {
    name: 'a repetition that is neither stated nor a question',
    rule: 'extensions',
    code: 'invalid-extension',
    files: {
      'openapi.yaml': openapi(`paths:
  /a:
    post:
      x-repeatable: sometimes # here
      responses: { 2XX: { description: Done. } }
    put:
      x-repeatable: { keeps: x-request-id } # here
      responses: { 2XX: { description: Done. } }
`),
    },
  },
  {
    name: 'a version of the vocabulary that does not exist',
    rule: 'extensions',
    code: 'invalid-extension',
    says: 'version',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info:
  title: Shop
  version: 1.0.0
  x-countersign: '1' # here
paths: {}
x-souce: '1'
`,
    },
  },
  {
    name: 'the declaration of the vocabulary in the wrong place',
    rule: 'extensions',
    code: 'invalid-extension',
    says: 'belongs on `info`',
    files: {
      'openapi.yaml': `openapi: 3.1.1
x-countersign: 1 # here
info: { title: Shop, version: 1.0.0 }
paths: {}
`,
    },
  },
  {
    name: 'an entry of the ledger with a bad id, without a question, with one choice',
    rule: 'extensions',
    code: 'invalid-extension',
    files: {
      'openapi.yaml': openapi(`paths: {}
x-unstated:
  Time_Zone: # here
    source: '1'
    question: Which?
  zone: # here
    source: '1'
  format:
    source: '1'
    question: Which?
    choices: # here
      one: The only one.
`),
    },
  },
  {
    name: 'a note that is neither a text nor a list of texts',
    rule: 'extensions',
    code: 'invalid-extension',
    says: '"x-note" is invalid',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  x-note: 1 # here
  properties:
    id: { x-note: [] } # here
    state: { x-note: '' } # here
    list:
      x-note:
        - One.
        - 2 # here
`),
    },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'keys of other tools in a document that declares the vocabulary',
    code: 'unknown-extension',
    files: {
      'openapi.yaml': openapi(`paths: {}
x-github: { category: repos }
x-name: a
x-code-samples: []
x-logo: {}
x-stoplight: { id: a }
x-order: 1
x-internal: true
`),
    },
  },
  {
    name: 'a document that does not declare the vocabulary, beside one that does',
    code: 'unknown-extension',
    files: {
      'openapi.yaml': openapi(`paths: {}\nx-logo: {}\n`, 'x-anything: 1'),
      'asyncapi.yaml': asyncapi('channels: {}\n'),
    },
  },
  {
    name: 'data and names that begin with x-',
    code: 'unknown-extension',
    files: {
      'openapi.yaml': openapi(`paths:
  /a:
    get:
      parameters:
        - { name: x-a, in: header, schema: { type: object, default: { x-b: 1 } }, example: { x-c: 1 } }
      responses:
        2XX:
          description: Done.
          headers: { x-d: { schema: { type: string } } }
          content:
            x-type/x-e:
              schema:
                type: object
                properties: { x-f: { enum: [{ x-g: 1 }], const: { x-h: 1 } } }
                patternProperties: { x-i: {} }
                examples: [{ x-j: 1 }]
                $defs: { x-k: {} }
                dependentRequired: { x-l: [x-f] }
              examples: { x-m: { value: { x-n: 1 } } }
          links: { x-o: { operationId: a, parameters: { x-p: 1 } } }
components:
  schemas: { x-q: { discriminator: { propertyName: x-r, mapping: { x-s: '#/components/schemas/x-q' } } } }
  securitySchemes:
    x-t: { type: oauth2, flows: { clientCredentials: { tokenUrl: /t, scopes: { x-u: U } } } }
security: [{ x-t: [x-u] }]
`),
      'asyncapi.yaml': asyncapi(`servers: { x-a: { host: 'a.test', protocol: https } }
channels:
  x-b:
    address: /{x-c}
    parameters: { x-c: { default: x-d } }
    messages:
      x-e:
        headers: { type: object, properties: { x-f: {} } }
        examples: [{ headers: { x-g: 1 }, payload: { x-h: 1 } }]
operations:
  x-i: { action: send, channel: { $ref: '#/channels/x-b' } }
`),
    },
  },
  {
    name: 'keys of a schema in a format that is not JSON Schema',
    code: 'unknown-extension',
    files: {
      'asyncapi.yaml': message(`payload:
  schemaFormat: application/vnd.apache.avro;version=1.9.0
  schema: { type: record, name: A, x-avro: 1, fields: [] }
`),
    },
  },
  {
    name: 'every key in its place',
    code: 'invalid-extension',
    files: {
      'openapi.yaml': openapi(
        `paths:
  /token:
    post:
      operationId: token
      x-source: ['1', '2']
      x-repeatable: true
      parameters:
        - { name: x-id, in: header, schema: { type: string }, x-every-request: { value: uuid, retry: { unstated: same } } }
      responses:
        2XX:
          description: Done.
          content:
            application/json:
              schema: { type: object, properties: { token: { type: string }, seconds: { type: integer } } }
x-unstated:
  same:
    source: '1'
    question: Does a retry carry the same id?
    remark: Some services refuse that.
    choices: { keep: It does., renew: It does not. }
    assumed: keep
  path:
    source: ['1', '2']
    question: Which path is signed?
    choices: { path: { value: $url.path, meaning: Only it. }, all: { value: $url.path+query, meaning: The query too. } }
webhooks:
  ordered:
    post:
      x-identified-by: { $request.body#/kind: { const: ordered } }
      x-dedupe-by: [$request.body#/id]
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Ordered' } } }
      responses: { 2XX: { description: Done. } }
components:
  schemas:
    Ordered:
      type: object
      x-note: [One., Two.]
      properties: { id: { type: string, x-note: One. }, kind: { type: string }, state: { $ref: '#/components/schemas/State' } }
      x-variants: { list: { x-note: One., when: { $request.body#/list: { type: array } }, each: /list, as: '', rename: { key: id } } }
    State: { type: integer, x-extensible-enum: [1, 2], x-enum-varnames: [A, B], x-enum-descriptions: [a, b] }
  securitySchemes:
    bearer:
      type: http
      scheme: bearer
      x-access-token: { operation: token, token: $response.body#/token, lifetime: $response.body#/seconds, value: 'Bearer {token}' }
    signature:
      type: apiKey
      in: header
      name: x-signature
      x-signature:
        x-note: One.
        algorithm: hmac-sha256
        key: { credential: secret, encoding: base64, prefix: whsec_ }
        over: [$request.header.x-id, { text: . }, $timestamp, $request.body, { unstated: path }]
        encoding: hex
        value: 't={timestamp},v1={signature}'
        separator: ','
        timestamp: { format: unix-seconds, tolerance: 300 }
`,
        'x-countersign: 1, x-source-document: Manual',
      ),
      'asyncapi.yaml':
        message(`payload: { type: object, properties: { id: { type: string }, kind: { type: string } } }
x-identified-by:
  - { $request.body#/kind: { const: ordered }, $request.body#/gone: false }
x-dedupe-by: [$request.body#/id]
x-invalid-examples:
  - { name: number, x-note: One., payload: { id: 1 }, violates: { at: /id, keyword: type } }
`),
    },
  },
];
