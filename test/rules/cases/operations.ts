import type { Breach, Observance } from '../rule-case.ts';
import { asyncapi, openapi } from './documents.ts';

const ok = 'responses: { 2XX: { description: Done. } }';
const id = '{ name: id, in: path, required: true, schema: { type: string } }';

export const breaches: readonly Breach[] = [
  {
    name: 'a body that no request has',
    rule: 'request-bodies',
    code: 'ignored-body',
    files: {
      'openapi.yaml': openapi(`paths:
  /orders:
    get: # here
      requestBody: { required: true, content: { application/json: {} } }
      responses: { '200': { description: Some. } }
    delete:
      requestBody: { required: true, content: { application/json: {} } }
      responses: { '200': { description: Gone. } }
`),
    },
  },
  {
    name: 'header parameters that OpenAPI ignores',
    rule: 'ignored-headers',
    code: 'ignored-header',
    says: 'is ignored',
    files: {
      'openapi.yaml': openapi(`paths:
  /orders:
    parameters:
      - { name: Authorization, in: header, required: true, schema: { type: string } } # here
    get:
      parameters:
        - $ref: '#/components/parameters/Shared'
        - { name: x-own, in: header, schema: { type: string } }
        - { name: accept, in: query, schema: { type: string } }
      responses: { '200': { description: Some. } }
    post:
      parameters:
        - $ref: '#/components/parameters/Shared'
        - { name: ACCEPT, in: header, schema: { type: string } } # here
      responses: { '200': { description: Some. } }
  /secured:
    get:
      security: [{ bearer: [] }]
      parameters:
        - { name: authorization, in: header, schema: { type: string } }
      responses: { '200': { description: Some. } }
components:
  parameters:
    Shared: { name: Content-Type, in: header, schema: { type: string } } # here
  securitySchemes:
    bearer: { type: http, scheme: bearer }
`),
    },
  },
  {
    name: 'what OpenAPI 3.2 has and no code is generated for',
    rule: 'newer-features',
    code: 'unsupported-feature',
    files: {
      'openapi.yaml': openapi(`$self: https://shop.test/openapi # here
paths:
  /orders:
    additionalOperations:
      COPY: { responses: {} } # here
    get:
      parameters:
        - name: all
          in: querystring # here
          content: { text/plain: {} }
      responses:
        '200':
          description: Some.
          content:
            application/jsonl:
              itemSchema: {}
            multipart/mixed:
              itemSchema: {} # here
    post:
      requestBody:
        content:
          application/jsonl:
            itemSchema: {} # here
      responses: { '200': { description: Some. } }
`).replace('3.1.1', '3.2.0'),
    },
  },
  {
    name: 'a default that is not an alternative',
    rule: 'newer-features',
    code: 'unsupported-feature',
    says: 'none of the alternatives',
    files: {
      'openapi.yaml': openapi(`components:
  schemas:
    Cat: { type: object }
    Dog: { type: object }
    Good:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, defaultMapping: Dog }
    Parent: { type: object, discriminator: { propertyName: kind, defaultMapping: Dog } }
    Bad:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Good' }]
      discriminator:
        propertyName: kind
        defaultMapping: '#/components/schemas/Dog' # here
    Missing:
      type: object
      discriminator:
        propertyName: kind
        defaultMapping: Bird # here
`).replace('3.1.1', '3.2.0'),
    },
  },
  {
    name: 'an operationId twice among paths',
    rule: 'operation-ids',
    code: 'duplicate-operation-id',
    says: '"list"',
    files: {
      'openapi.yaml': openapi(`paths:
  /a: { get: { operationId: list, ${ok} } }
  /b:
    get:
      operationId: list # here
      ${ok}
`),
    },
  },
  {
    name: 'an operationId of a path again in a webhook and in a callback',
    rule: 'operation-ids',
    code: 'duplicate-operation-id',
    files: {
      'openapi.yaml': openapi(`paths:
  /a:
    post:
      operationId: order
      callbacks:
        done:
          '{$request.body#/url}':
            post:
              operationId: order # here
              ${ok}
      ${ok}
webhooks:
  ordered:
    post:
      operationId: order # here
      ${ok}
`),
    },
  },
  {
    name: 'a name in braces that one operation does not declare',
    rule: 'path-parameters',
    code: 'undeclared-path-parameter',
    says: 'GET',
    files: {
      'openapi.yaml': openapi(`paths:
  /a/{id}:
    get: # here
      ${ok}
    put:
      parameters: [${id}]
      ${ok}
`),
    },
  },
  {
    name: 'a path parameter without a place in the path, of the operation and of the path',
    rule: 'path-parameters',
    code: 'undeclared-path-parameter',
    says: 'is not in the',
    files: {
      'openapi.yaml': openapi(`paths:
  /a:
    parameters:
      - { name: key, in: path, required: true, schema: { type: string } } # here
    get:
      parameters:
        - ${id} # here
      ${ok}
`),
    },
  },
  {
    name: 'an address with a parameter that is not declared',
    rule: 'channel-parameters',
    code: 'undeclared-channel-parameter',
    says: '"shop"',
    files: {
      'asyncapi.yaml': asyncapi(`channels:
  orders:
    address: /{shop}/{order} # here
    parameters: { order: {} }
`),
    },
  },
  {
    name: 'a parameter that the address does not name, or that has no address',
    rule: 'channel-parameters',
    code: 'undeclared-channel-parameter',
    says: 'is not in the',
    files: {
      'asyncapi.yaml': asyncapi(`channels:
  orders:
    address: /orders
    parameters:
      order: {} # here
  unknown:
    parameters:
      shop: {} # here
`),
    },
  },
  {
    name: 'a server of another protocol than HTTP',
    rule: 'protocols',
    code: 'other-protocol',
    says: '"orders", "bills" is kafka, not HTTP',
    files: {
      'asyncapi.yaml': asyncapi(`servers:
  broker:
    host: kafka.test
    protocol: kafka-secure # here
channels:
  orders: { messages: { placed: { payload: {} } } }
  bills: { messages: { paid: { payload: {} } } }
operations:
  place: { action: send, channel: { $ref: '#/channels/orders' } }
  pay: { action: receive, channel: { $ref: '#/channels/bills' } }
`),
    },
  },
  {
    name: 'no protocol, and an address that is no path',
    rule: 'protocols',
    code: 'assumed-protocol',
    says: '"orders", "bills": they are received',
    files: {
      'asyncapi.yaml': asyncapi(`channels:
  orders: # here
    address: orders.placed
    messages: { placed: { payload: {} } }
  bills: { address: bills/paid, messages: { paid: { payload: {} } } }
  path: { address: /path, messages: { one: { payload: {} } } }
  none: { messages: { two: { payload: {} } } }
  bound: { address: bound, messages: { three: { payload: {}, bindings: { http: {} } } } }
  received: { address: received, messages: { four: { payload: {} } } }
operations:
  place: { action: send, channel: { $ref: '#/channels/orders' } }
  pay: { action: send, channel: { $ref: '#/channels/bills' } }
  path: { action: send, channel: { $ref: '#/channels/path' } }
  none: { action: send, channel: { $ref: '#/channels/none' } }
  bound: { action: send, channel: { $ref: '#/channels/bound' } }
  received: { action: receive, channel: { $ref: '#/channels/received' } }
`),
    },
  },
  {
    name: 'two addresses that differ in the name of a parameter only',
    rule: 'addresses',
    code: 'duplicate-address',
    says: '"first"',
    files: {
      'asyncapi.yaml': asyncapi(`channels:
  first: { address: '/{a}/x', parameters: { a: {} } }
  second:
    address: /{b}/x # here
    parameters: { b: {} }
`),
    },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'operations without an operationId',
    code: 'duplicate-operation-id',
    files: { 'openapi.yaml': openapi(`paths: { /a: { get: { ${ok} }, put: { ${ok} } } }\n`) },
  },
  {
    name: 'parameters of the path item, in components and behind a reference to a path item',
    code: 'undeclared-path-parameter',
    files: {
      'openapi.yaml': openapi(`paths:
  /a/{id}/{key}:
    parameters: [${id}]
    get:
      parameters: [{ $ref: '#/components/parameters/key' }]
      ${ok}
  /b/{id}: { $ref: '#/components/pathItems/item' }
components:
  parameters: { key: { name: key, in: path, required: true, schema: { type: string } } }
  pathItems: { item: { parameters: [${id}], get: { ${ok} } } }
`),
    },
  },
  {
    name: 'braces in the name of a webhook',
    code: 'undeclared-path-parameter',
    files: { 'openapi.yaml': openapi(`webhooks: { 'a/{id}': { post: { ${ok} } } }\n`) },
  },
  {
    name: 'declared parameters and channels without an address',
    code: 'undeclared-channel-parameter',
    files: {
      'asyncapi.yaml': asyncapi(`channels:
  orders: { address: '/{order}/{order}', parameters: { order: { $ref: '#/components/parameters/order' } } }
  unknown: {}
components: { parameters: { order: {} } }
`),
    },
  },
  {
    name: 'servers of both HTTP and another protocol, and a binding that chooses HTTP',
    code: 'other-protocol',
    files: {
      'asyncapi.yaml': asyncapi(`servers:
  broker: { host: kafka.test, protocol: kafka }
  web: { host: web.test, protocol: https }
channels:
  orders: { messages: { placed: { bindings: { http: {} }, payload: {} } } }
  bills: { messages: { paid: { payload: {} } } }
operations:
  place: { action: send, channel: { $ref: '#/channels/orders' } }
  pay: { action: receive, channel: { $ref: '#/channels/bills' } }
`),
    },
  },
  {
    name: 'channels without an address, of other literals, or on other servers',
    code: 'duplicate-address',
    files: {
      'asyncapi.yaml': asyncapi(`servers:
  one: { host: one.test, protocol: https }
  two: { host: two.test, protocol: https }
channels:
  unknown: {}
  unknownToo: {}
  a: { address: '/{x}/a', parameters: { x: {} } }
  b: { address: '/{x}/b', parameters: { x: {} } }
  c: { address: /c, servers: [{ $ref: '#/servers/one' }] }
  d: { address: /c, servers: [{ $ref: '#/servers/two' }] }
`),
    },
  },
];
