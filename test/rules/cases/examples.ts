import type { Breach, Observance } from '../rule-case.ts';
import { message, openapi } from './documents.ts';

const order = `payload:
  type: object
  required: [id]
  properties:
    id: { type: string, maxLength: 3 }
    state: { anyOf: [{ enum: [1, 2] }, { type: 'null' }] }
    when: { type: string, format: date-time }
    amount: { type: number, multipleOf: 0.01 }
`;

const lists = `payload: { $ref: '#/components/schemas/Order' }
`;
const listForm = `  schemas:
    Order:
      type: object
      required: [Order]
      properties:
        Order: { type: object, required: [Id], properties: { Id: { type: string } } }
      x-variants:
        list: { when: { $request.body#/orders: { type: array } }, each: /orders, as: /Order, rename: { id: Id } }
`;

export const breaches: readonly Breach[] = [
  {
    name: 'an example of a message, with every violation in words',
    rule: 'examples',
    code: 'invalid-example',
    says: '"/id" must be a string; "/state" must be one of 1, 2; "/state" must be null; "/when" must have the format "date-time"',
    files: {
      'asyncapi.yaml': message(`${order}examples:
  - name: bad
    payload: { id: 1, state: 3, when: yesterday } # here
`),
    },
  },
  {
    name: 'an example that matches two alternatives, and not a third',
    rule: 'examples',
    code: 'invalid-example',
    says: 'violates its schema: "/gb" matches several alternatives of `oneOf`, and has to match only one.',
    files: {
      'asyncapi.yaml': message(`payload:
  type: object
  properties: { gb: { oneOf: [{ type: string }, { type: integer }, { type: number }] } }
examples:
  - name: bad
    payload: { gb: 5 } # here
`),
    },
  },
  {
    name: 'references in examples, once for all of them',
    rule: 'examples',
    code: 'invalid-example',
    says: '2 examples contain a reference, such as "paid.json". References in examples are not resolved',
    severity: 'warning',
    files: {
      'openapi.yaml': openapi(
        `paths:
  /orders:
    post:
      operationId: order
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Order' }
            examples:
              paid:
                value: { $ref: paid.json } # here
              open: { value: { customer: { $ref: open.json } } }
      responses: { '204': { description: Done. } }
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: string } } }
`,
        'description: Orders.',
      ),
    },
  },
  {
    name: 'an example in a document of others',
    rule: 'examples',
    code: 'invalid-example',
    says: '"/id" must be a string',
    helps: 'nothing has to be done if the document is not yours',
    severity: 'warning',
    files: {
      'asyncapi.yaml': message(
        `${order}examples:
  - name: bad
    payload: { id: 1 } # here
`,
        '',
        'description: Orders.',
      ),
    },
  },
  {
    name: 'examples of requests, responses, parameters and schemas',
    rule: 'examples',
    code: 'invalid-example',
    files: {
      'openapi.yaml': openapi(`paths:
  /a:
    post:
      parameters:
        - name: q
          in: query
          schema: { type: integer }
          example: many # here
        - name: r
          in: query
          schema:
            type: integer
            examples: 
              - few # here
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Order' }
            examples:
              bad:
                value: {} # here
      responses:
        2XX:
          description: Done.
          headers:
            x-count:
              schema: { type: integer }
              example: none # here
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Order' } }
              example: [{ id: 1 }] # here
components:
  schemas:
    Order:
      type: object
      required: [id]
      properties:
        id:
          type: string
          examples:
            - fine
            - 7 # here
      examples:
        - { id: fine }
        - {} # here
`),
    },
  },
  {
    name: 'invalid examples that are valid, break another rule, or break two',
    rule: 'examples',
    code: 'invalid-example',
    files: {
      'asyncapi.yaml': message(`${order}x-invalid-examples:
  - name: valid
    violates: { at: /id, keyword: type }
    payload: { id: a } # here
  - name: other
    violates: { at: /id, keyword: type }
    payload: { id: long } # here
  - name: two
    violates: { at: /id, keyword: type }
    payload: { id: 1, amount: 0.001 } # here
  - name: elsewhere
    violates: { at: /state, keyword: enum }
    payload: { state: 3 } # here
`),
    },
  },
  {
    name: 'an invalid example of another wire variant, judged by that form',
    rule: 'examples',
    code: 'invalid-example',
    files: {
      'asyncapi.yaml': message(
        `${lists}x-invalid-examples:
  - name: wrong place
    violates: { at: /Order/Id, keyword: type }
    payload: { orders: [{ id: 1 }] } # here
`,
        listForm,
      ),
    },
  },
  {
    name: 'an example of a message that fits none of its wire variants',
    rule: 'examples',
    code: 'invalid-example',
    files: {
      'asyncapi.yaml': message(
        `${lists}examples:
  - payload: { orders: [{ id: 1 }] } # here
`,
        listForm,
      ),
    },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'valid examples, an offset, a decimal, null and an unknown member among them',
    code: 'invalid-example',
    files: {
      'asyncapi.yaml': message(`${order}examples:
  - payload: { id: a, when: '2024-05-01T10:00:00-03:00', amount: 19.99, state: null, other: 1 }
`),
      'openapi.yaml': openapi(`paths:
  /a:
    post:
      requestBody:
        content:
          application/xml: { schema: { type: object }, example: '<a/>' }
          application/x-www-form-urlencoded: { schema: { type: object, properties: { a: { type: string } } }, example: { a: b } }
      responses: { 2XX: { description: Done. } }
`),
    },
  },
  {
    name: 'invalid examples that break exactly what they say, in a union too',
    code: 'invalid-example',
    files: {
      'asyncapi.yaml': message(`${order}x-invalid-examples:
  - { name: type, violates: { at: /id, keyword: type }, payload: { id: 1 } }
  - { name: missing, violates: { at: '', keyword: required }, payload: {} }
  - { name: union, violates: { at: /state, keyword: enum }, payload: { id: a, state: 3 } }
  - { name: form, violates: { at: /state, keyword: anyOf }, payload: { id: a, state: 3 } }
  - { name: decimal, violates: { at: /amount, keyword: multipleOf }, payload: { id: a, amount: 0.001 } }
`),
    },
  },
  {
    name: 'examples in every wire variant',
    code: 'invalid-example',
    files: {
      'asyncapi.yaml': message(
        `${lists}examples:
  - payload: { Order: { Id: a } }
  - payload: { orders: [{ id: a }, { id: b }] }
x-invalid-examples:
  - { name: listed, violates: { at: /orders/0/id, keyword: type }, payload: { orders: [{ id: 1 }] } }
  - { name: single, violates: { at: /Order, keyword: required }, payload: { Order: {} } }
`,
        listForm,
      ),
    },
  },
];
