import type { Breach, Observance } from '../rule-case.ts';
import { asyncapi, message, openapi, schemas } from './documents.ts';

const cited = 'x-countersign: 1, x-source-document: Manual';

export const breaches: readonly Breach[] = [
  {
    name: 'facts of an OpenAPI document that cite nothing',
    rule: 'sources',
    code: 'missing-source',
    says: '"Manual"',
    files: {
      'openapi.yaml': openapi(
        `paths:
  /a:
    parameters:
      - { name: a, in: query, schema: {} } # here
    get: # here
      operationId: read
      parameters: [{ $ref: '#/components/parameters/b' }]
      responses:
        2XX:
          description: Done.
          headers:
            x-c: { schema: {} } # here
          content:
            application/json:
              schema:
                type: object
                properties:
                  d:
                    type: object
                    x-source: '1'
                    properties:
                      e: {} # here
components:
  parameters:
    b: { name: b, in: query, schema: {} } # here
  securitySchemes:
    key: { type: http, scheme: bearer } # here
`,
        cited,
      ),
    },
  },
  {
    name: 'facts of an AsyncAPI document, told so by the OpenAPI document beside it',
    rule: 'sources',
    code: 'missing-source',
    files: {
      'openapi.yaml': openapi('paths: {}\n', cited),
      'asyncapi.yaml': asyncapi(`channels:
  orders:
    address: /{id}
    parameters:
      id: {} # here
    messages:
      ordered: # here
        headers:
          type: object
          properties:
            x-id: { type: string } # here
        payload:
          type: object
          properties:
            state: # here
              allOf: [{ type: string }]
operations:
  sendOrdered: # here
    action: send
    channel: { $ref: '#/channels/orders' }
`),
    },
  },
  {
    name: 'a property that is a bare reference, with the way to write it',
    rule: 'sources',
    code: 'missing-source',
    helps: 'allOf',
    files: {
      'openapi.yaml': schemas(
        `Order:
  type: object
  properties:
    state: { $ref: '#/components/schemas/State' } # here
State: { type: string, x-source: '1' }
`,
        cited,
      ),
    },
  },
  {
    name: 'a property that only an alternative states',
    rule: 'sources',
    code: 'missing-source',
    files: {
      'openapi.yaml': schemas(
        `Order:
  oneOf:
    - { type: object, properties: { id: { x-source: '1' } } }
    - type: object
      properties:
        key: {} # here
`,
        cited,
      ),
    },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'a contract without a source document',
    code: 'missing-source',
    files: { 'openapi.yaml': schemas('Order: { type: object, properties: { id: {} } }\n') },
  },
  {
    name: 'a document that does not declare the vocabulary but has a key of that name',
    code: 'missing-source',
    files: {
      'openapi.yaml': schemas(
        'Order: { type: object, properties: { id: {} } }\n',
        'x-source-document: Manual',
      ),
    },
  },
  {
    name: 'references to what cites, traits, and properties that restrict a cited one',
    code: 'missing-source',
    files: {
      'openapi.yaml': schemas(
        `Base:
  type: object
  properties:
    kind: { type: string, x-source: '1' }
    state: { x-source: '2', allOf: [{ $ref: '#/components/schemas/State' }] }
State: { type: string }
Order:
  allOf:
    - { $ref: '#/components/schemas/Base' }
    - { properties: { kind: { const: order } }, not: { properties: { gone: {} }, required: [gone] } }
  if: { properties: { state: { const: a }, other: {} } }
  then: { properties: { state: { minLength: 1 } } }
`,
        cited,
      ),
      'asyncapi.yaml': message(
        `x-source: '3'
payload: { type: object }
traits: [{ $ref: '#/components/messageTraits/common' }]
`,
        `  messageTraits: { common: { contentType: application/json } }
  operationTraits: { common: { description: All. } }
`,
      ).replace('action: send', "action: send\n    x-source: '4'"),
    },
  },
];
