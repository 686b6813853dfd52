import type { Breach, Observance } from '../rule-case.ts';
import { asyncapi, message, openapi, schemas } from './documents.ts';

const bothUse = (text: string, version = '3.1.1'): Breach['files'] => ({
  'openapi.yaml': openapi(
    'paths: {}\ncomponents: { schemas: { Order: { $ref: ./Order.yaml } } }\n',
  ).replace('3.1.1', version),
  'asyncapi.yaml': asyncapi(
    'channels: {}\ncomponents: { schemas: { Order: { $ref: ./Order.yaml } } }\n',
  ),
  'Order.yaml': text,
});

export const breaches: readonly Breach[] = [
  {
    name: 'a name in a mapping that no schema has',
    rule: 'discriminator-mappings',
    code: 'unknown-mapping',
    says: 'is not the name of a schema in `components/schemas`.',
    helps: 'Did you mean "Dog"?',
    files: {
      'openapi.yaml': schemas(`Pet:
  oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
  discriminator:
    propertyName: kind
    mapping:
      cat: Cat
      dog: Dgo # here
      puppy: '#/components/schemas/Dog'
      pup: Dog.1
Dog.1: { type: object }
Parent:
  type: object
  discriminator: { propertyName: kind, mapping: { dog: Dgo } } # here
Cat: { type: object, required: [kind], properties: { kind: {} } }
Dog: { type: object, required: [kind], properties: { kind: {} } }
`),
    },
  },
  {
    name: 'a default that is the name of no schema',
    rule: 'discriminator-mappings',
    code: 'unknown-mapping',
    files: {
      'openapi.yaml': schemas(`Pet:
  oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
  discriminator:
    propertyName: kind
    defaultMapping: Dgo # here
Cat: { type: object, required: [kind], properties: { kind: {} } }
Dog: { type: object, required: [kind], properties: { kind: {} } }
`).replace('3.1.1', '3.2.0'),
    },
  },
  {
    name: 'values that their type does not admit, and a number that is a text',
    rule: 'mistyped-values',
    code: 'mistyped-value',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  properties:
    count: { type: integer, default: '1' } # here
    open: { type: boolean, const: 'true' } # here
    version: { type: string, enum: ['1', 2.5] } # here
    both: { type: [string, integer], default: '1' }
    unknown: { type: integer, default: many }
    none: { default: '1' }
`),
    },
  },
  {
    name: 'a misspelt name, in a list, beside allOf, in a branch and below a reference',
    rule: 'required-properties',
    code: 'undeclared-property',
    says: '"txxid" is required',
    helps: 'Did you mean "txid"?',
    files: {
      'openapi.yaml': schemas(`Charge:
  type: object
  properties: { txid: {}, value: {} }
  required:
    - value
    - txxid # here
Paid:
  allOf: [{ $ref: '#/components/schemas/Charge' }]
  required: [txid, txxid] # here
Branch:
  properties: { txid: {} }
  anyOf:
    - required: [txid]
    - required: [txxid] # here
Extended:
  allOf:
    - $ref: '#/components/schemas/Charge'
    - properties: { at: {} }
      required: [at, txxid] # here
Open:
  properties: { txid: {} }
  required: [txxid] # here
  additionalProperties: true
`),
      'asyncapi.yaml': message(`payload:
  properties: { txid: {} }
  required: [txxid] # here
`),
    },
  },
  {
    name: 'a required name that no other name is near, in a document for other tools as well',
    rule: 'required-properties',
    code: 'undeclared-property',
    helps: 'Correct the name, or declare the property. The schema `{}` allows every value',
    files: {
      'openapi.yaml': schemas(
        `A: { properties: { txid: {} }, required: [somethingElse] } # here\n`,
        'x-other: 1',
      ),
      'asyncapi.yaml': message('payload: { properties: { txid: {} }, required: [other] } # here\n'),
    },
  },
  {
    name: 'an enumeration without a value, in a document for other tools as well',
    rule: 'empty-enums',
    code: 'empty-enum',
    says: 'no value is valid',
    files: {
      'openapi.yaml': schemas('A: { type: string, enum: [] } # here\n', 'x-other: 1'),
    },
  },
  {
    name: 'names and descriptions that are more or fewer than the values',
    rule: 'enum-names',
    code: 'enum-names',
    files: {
      'openapi.yaml': schemas(`Closed:
  enum: [1, 2]
  x-enum-varnames: [One] # here
  x-enum-descriptions: [one, two, three] # here
Open:
  x-extensible-enum: [1, 2]
  x-enum-varnames: [One, Two, Three] # here
None:
  type: string
  x-enum-varnames: [One] # here
`),
    },
  },
  {
    name: 'values whose keys in code would be the same',
    rule: 'enum-keys',
    code: 'name-collision',
    says: 'would both become the key Asc',
    files: {
      'openapi.yaml': schemas(`Order:
  enum:
    - asc
    - Asc # here
    - ASC
`),
    },
  },
  {
    name: 'a value that is listed twice, without two names',
    rule: 'enum-names',
    code: 'enum-names',
    says: 'The value 1 is listed twice',
    files: {
      'openapi.yaml': schemas(`Open:
  x-extensible-enum:
    - 1
    - 2
    - 1 # here
`),
    },
  },
  {
    name: 'two values of one name, in a document without our vocabulary as well',
    rule: 'enum-names',
    code: 'enum-names',
    says: '"One"',
    files: {
      'openapi.yaml': schemas(
        `Closed:
  enum: [1, 2]
  x-enum-varnames:
    - One
    - One # here
`,
        'x-other: 1',
      ),
    },
  },
  {
    name: 'a schema that is a part of itself, at once and by its opposite',
    rule: 'endless-schemas',
    code: 'endless-schema',
    says: 'applies itself to the same value, without end',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  allOf:
    - $ref: '#/components/schemas/Order' # here
Opposite:
  not: { $ref: '#/components/schemas/Opposite' } # here
`),
    },
  },
  {
    name: 'a union whose alternatives extend it',
    rule: 'endless-schemas',
    code: 'endless-schema',
    says: 'The schema "Order" applies itself to the same value through "Sale"',
    files: {
      'openapi.yaml': schemas(`Order:
  oneOf:
    - $ref: '#/components/schemas/Sale'
    - type: 'null'
Sale:
  allOf:
    - $ref: '#/components/schemas/Order' # here
    - type: object
`),
    },
  },
  {
    name: 'patterns that are not regular expressions, one of them of another language',
    rule: 'patterns',
    code: 'invalid-pattern',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  properties:
    open: { pattern: '(' } # here
    perl: { pattern: '\\A\\d++\\z' } # here
    lone: { pattern: 'a{1,' } # here
    order: { pattern: 'a{2,1}' } # here
    slashes: { pattern: '/^a$/' } # here
  patternProperties:
    '[': {} # here
`),
      'asyncapi.yaml': message(`payload: { type: object, properties: { id: {} } }
x-identified-by:
  $request.body#/id:
    pattern: '*' # here
`),
    },
  },
  {
    name: 'patterns that nest one repetition in another',
    rule: 'slow-patterns',
    code: 'slow-pattern',
    says: 'or even exponentially',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  properties:
    nested: { pattern: '^(a+)+$' } # here
    words: { pattern: '^(\\w+\\s?)*$' } # here
    anything: { pattern: '^(.*)*x' } # here
    tokens: { pattern: '^(?:\\w|\\d)+$' } # here
    parts: { pattern: '^(?:a|b|ab)*c$' } # here
    pairs: { pattern: '^(?:[^:]+:[^:]+,)*$' } # here
    never: { pattern: '(?:a|b|ab)*' }
    apart: { maxLength: 256, pattern: '^(?:[a-z]+-)*[a-z]+$' }
  patternProperties:
    '^([a-z]+)*$': {} # here
`),
    },
  },
  {
    name: 'patterns that take quadratic time, with a long limit beside one',
    rule: 'slow-patterns',
    code: 'slow-pattern',
    says: 'the square of the length',
    helps: 'maxLength',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  properties:
    words: { pattern: '^.*\\S.*$' } # here
    long: { maxLength: 100000, pattern: '^.*\\S.*$' } # here
    short: { maxLength: 100, pattern: '^.*\\S.*$' }
`),
    },
  },
  {
    name: 'patterns for which a search finds no attack, which is not proof, for long texts',
    rule: 'slow-patterns',
    code: 'slow-pattern',
    says: 'more than 256 characters',
    helps: 'maxLength',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  properties:
    slug: { pattern: '^(?:[a-z]+-)*[a-z]+$' } # here
    words: { pattern: '^\\S+\\s\\S+\\s?\\S*$' } # here
    long: { maxLength: 257, pattern: '^(?:[a-z]+-)*[a-z]+$' } # here
    quoted: { pattern: '^(["'']).*\\1$' } # here
    beside: { maxLength: 10, allOf: [{ pattern: '^(?:[a-z]+-)*[a-z]+$' }] } # here
    names: { propertyNames: { pattern: '^(?:[a-z]+-)*[a-z]+$' } } # here
    short: { maxLength: 256, pattern: '^(?:[a-z]+-)*[a-z]+$' }
    shortNames: { propertyNames: { maxLength: 20, pattern: '^(?:[a-z]+-)*[a-z]+$' } }
  patternProperties:
    '^(?:[a-z]+_)*[a-z]+$': {} # here
`),
    },
  },
  {
    name: 'a pattern that is too large to be analyzed, and one that is nested too deeply for it',
    rule: 'slow-patterns',
    code: 'slow-pattern',
    says: 'too complex',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  properties:
    wide: { pattern: '(?:${'(a+)'.repeat(3000)})+' } # here
    deep: { pattern: '${'('.repeat(2000)}a${')+'.repeat(2000)}' } # here
`),
    },
  },
  {
    name: 'members beside a reference in a file that both documents use',
    rule: 'dialects',
    code: 'dialect-difference',
    helps: 'allOf',
    files: {
      ...bothUse(`type: object
properties:
  state:
    $ref: ./State.yaml # here
    description: The state.
`),
      'State.yaml': 'type: string\n',
    },
  },
  {
    name: 'keywords that the two dialects do not share',
    rule: 'dialects',
    code: 'dialect-difference',
    files: bothUse(`type: object
dependentRequired: { a: [b] } # here
unevaluatedProperties: false # here
properties:
  a:
    type: array
    prefixItems: [{ type: string }] # here
  b:
    type: array
    contains: {}
    minContains: 2 # here
`),
  },
  {
    name: 'a schema that only messages use, where the contract shares others',
    rule: 'dialects',
    code: 'dialect-difference',
    files: {
      'openapi.yaml': openapi('paths: {}\ncomponents: { schemas: { Order: { type: object } } }\n'),
      'asyncapi.yaml': message(
        `payload: { $ref: '#/components/schemas/Event' }
`,
        `  schemas:
    Order: { type: object }
    Event:
      type: object
      properties:
        list:
          type: array
          additionalItems: false # here
      dependencies: { list: [other] } # here
`,
      ),
    },
  },
  {
    name: 'keywords that OpenAPI 3.0 does not have',
    rule: 'dialects',
    code: 'dialect-difference',
    says: 'OpenAPI 3.0',
    files: bothUse(
      `type: object
properties:
  a:
    type: [string, 'null'] # here
  b:
    const: 1 # here
`,
      '3.0.3',
    ),
  },
  {
    name: 'a schema that the two documents write differently, at the member that differs',
    rule: 'payloads',
    code: 'payload-mismatch',
    says: 'openapi.yaml:10',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  properties:
    id: { type: string }
    amount: { type: number }
`),
      'asyncapi.yaml': asyncapi(`channels: {}
components:
  schemas:
    Order:
      properties:
        amount: { type: string } # here
        id: { type: string }
      type: object
`),
    },
  },
  {
    name: 'a webhook whose body differs from the message of the same name',
    rule: 'payloads',
    code: 'payload-mismatch',
    files: {
      'openapi.yaml': openapi(`webhooks:
  ordered:
    post:
      requestBody: { content: { application/json: { schema: { type: object, required: [id] } } } }
      responses: { 2XX: { description: Done. } }
`),
      'asyncapi.yaml': message(`payload:
  type: object
  required:
    - key # here
`),
    },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'names that a part, a whole, a user, a pattern or a schema for all others declares',
    code: 'undeclared-property',
    files: {
      'openapi.yaml': schemas(`Listed: { properties: { id: {} }, required: [id] }
Nothing: { type: object, required: [id] }
Mixin: { properties: { other: {} }, required: [id] }
User: { allOf: [{ $ref: '#/components/schemas/Mixin' }], properties: { id: {} } }
Alias: { $ref: '#/components/schemas/Mixin' }
Whole:
  properties: { id: {} }
  anyOf: [{ properties: { name: {} }, required: [id, name] }, { required: [id] }]
  if: { properties: { kind: {} }, required: [id] }
  then: { required: [kind] }
  dependentSchemas: { id: { properties: { more: {} }, required: [id] } }
Parts:
  required: [id, b, c, d, e, f]
  properties: { a: {} }
  allOf: [{ properties: { id: {} } }, { $ref: '#/components/schemas/Part' }]
  oneOf: [{ properties: { b: {} } }]
  if: { properties: { c: {} } }
  then: { properties: { d: {} } }
  dependentSchemas: { a: { properties: { e: {} } } }
Part: { allOf: [{ $ref: '#/components/schemas/Deep', properties: { f: {} } }] }
Deep: { properties: { g: {} } }
Beside: { $ref: '#/components/schemas/Deep', properties: { h: {} }, required: [g, h] }
Inner:
  allOf:
    - properties: { a: { properties: { id: {}, b: { properties: { c: {} } } } } }
    - properties: { a: { properties: { d: {}, b: { properties: { e: {} }, required: [c] } }, required: [id] } }
Pattern: { properties: { a: {} }, patternProperties: { ^x: {} }, required: [xy] }
Map: { properties: { a: {} }, additionalProperties: { type: string }, required: [en] }
Forbidden: { properties: { a: {} }, not: { properties: { c: {} }, required: [b] } }
Labelled: { properties: { a: {} }, required: [kind], discriminator: { propertyName: kind } }
Recursive: { properties: { id: {}, in: { $ref: '#/components/schemas/Recursive' } }, required: [id] }
Named: { properties: { required: { type: array }, toString: {} }, required: [toString] }
`),
      'asyncapi.yaml': message('payload: { properties: { id: {} }, required: [id] }\n'),
    },
  },
  {
    name: 'an enumeration of null, and a property that is called enum',
    code: 'empty-enum',
    files: {
      'openapi.yaml': schemas('A: { enum: [null], properties: { enum: { type: string } } }\n'),
    },
  },
  {
    name: 'a schema that recurs in its members and items',
    code: 'endless-schema',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  properties:
    before: { allOf: [{ $ref: '#/components/schemas/Order' }] }
    parts: { type: array, items: { oneOf: [{ $ref: '#/components/schemas/Order' }] } }
  additionalProperties: { $ref: '#/components/schemas/Order' }
Twice:
  allOf: [{ $ref: '#/components/schemas/Order' }, { $ref: '#/components/schemas/Order' }]
`),
    },
  },
  {
    name: 'one name for each value, null among them',
    code: 'enum-names',
    files: {
      'openapi.yaml': schemas(
        "A: { enum: [1, null], x-enum-varnames: [One, None], x-enum-descriptions: [one, none] }\nB: { x-extensible-enum: ['a'], x-enum-varnames: [A] }\nC: { x-extensible-enum: [1, 1], x-enum-varnames: [Asked, Done] }\n",
      ),
    },
  },
  {
    name: 'patterns of ECMA-262, and a property that is called pattern',
    code: 'invalid-pattern',
    files: {
      'openapi.yaml': schemas(
        "A: { type: object, properties: { pattern: { type: string, pattern: '^\\p{Lu}(?<rest>\\w+)$' } }, example: { pattern: '(' } }\n",
      ),
    },
  },
  {
    name: 'patterns that repeat what can match in one way only, and what is not a pattern at all',
    code: 'slow-pattern',
    files: {
      'openapi.yaml': schemas(`Order:
  type: object
  properties:
    slug: { maxLength: 100, pattern: '^(?:[a-z]+-)*[a-z]+$' }
    path: { pattern: '^(?:/(?:[^~/]|~[01])*)*$' }
    digits: { pattern: '^\\d{11}(?:\\d{3})?$' }
    wrong: { pattern: '(a+)+(' }
`),
    },
  },
  {
    name: 'keywords of draft-07 in a contract of AsyncAPI alone',
    code: 'dialect-difference',
    files: {
      'asyncapi.yaml': message(
        'payload: { type: object, dependencies: { a: [b] }, definitions: { a: {} }, properties: { a: { items: [{}], additionalItems: false } } }\n',
      ),
    },
  },
  {
    name: 'keywords of 2020-12 in a schema that only the OpenAPI document has',
    code: 'dialect-difference',
    files: {
      'openapi.yaml': schemas(
        'Order: { type: object }\nToken: { type: array, prefixItems: [{ type: string }], $comment: Only here. }\n',
      ),
      'asyncapi.yaml': asyncapi(
        'channels: {}\ncomponents: { schemas: { Order: { type: object } } }\n',
      ),
    },
  },
  {
    name: 'what both dialects read alike',
    code: 'dialect-difference',
    files: {
      ...bothUse(`type: object
required: [id]
properties:
  id: { type: [string, 'null'], minLength: 1, exclusiveMinimum: 3 }
  state: { allOf: [{ $ref: ./State.yaml }], description: The state., x-source: '1' }
  list: { type: array, items: { oneOf: [{ const: 1 }, { enum: [2] }] } }
  definitions: { if: { type: string }, then: { minLength: 1 } }
`),
      'State.yaml': 'type: string\n',
    },
  },
  {
    name: 'one file, members in another order, and one notification written once inline and once by name',
    code: 'payload-mismatch',
    files: {
      'openapi.yaml': openapi(`webhooks:
  ordered:
    post:
      requestBody: { content: { application/json: { schema: { $ref: ./Order.yaml } } } }
      responses: { 2XX: { description: Done. } }
  cancelled:
    put:
      requestBody: { content: { application/json: { schema: { type: string } } } }
      responses: { 2XX: { description: Done. } }
`),
      'asyncapi.yaml': message(
        'payload: { properties: { id: { $ref: ./Id.yaml } }, type: object }\n',
      ),
      'Order.yaml': 'type: object\nproperties: { id: { $ref: ./Id.yaml } }\n',
      'Id.yaml': 'type: string\n',
    },
  },
];
