/**
 * The contract's vocabulary: a JSON Schema (2020-12) for each `x-` key, and the kinds of objects that may have the key.
 * Checked only in documents with `x-countersign: 1`. In these schemas, `x-words` states the requirement for a message,
 * where the keyword that rejects a value explains it poorly.
 */

const text = { type: 'string', minLength: 1 } as const;

/** Returns the schema of an object with no other than the given members. */
function object(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

const expression = {
  type: 'string',
  'x-words': 'must be a runtime expression, such as $request.body#/id or $request.header.x-id',
  pattern:
    "^\\$(?:method|url|url\\.path|url\\.path\\+query|timestamp|statusCode|(?:request|response)\\.(?:header\\.[!#$%&'*+.^_`|~0-9A-Za-z-]+|query\\..+|path\\..+|body(?:#(?:/.*)?)?))$",
} as const;

const signedExpression = {
  type: 'string',
  'x-words':
    'must be a runtime expression of what can be signed: $method, $url, $url.path, $url.path+query, $url.host+path, $timestamp, $request.body or $request.header.name',
  pattern:
    "^\\$(?:method|url|url\\.path|url\\.path\\+query|url\\.host\\+path|timestamp|request\\.body|request\\.header\\.[!#$%&'*+.^_`|~0-9A-Za-z-]+)$",
} as const;

const ledgerId = {
  type: 'string',
  'x-words': 'must be words of small letters and digits with hyphens between them',
  pattern: '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$',
} as const;

/** The reference to a ledger entry, in place of a value that the source document does not state. */
export const unstatedReference: object = object({ unstated: ledgerId }, ['unstated']);

const orUnstated = (schema: object): object => ({
  if: { type: 'object', required: ['unstated'] },
  then: unstatedReference,
  else: schema,
});

const textOrTexts = {
  type: ['string', 'array'],
  minLength: 1,
  items: text,
  minItems: 1,
  uniqueItems: true,
} as const;

/** The keys that every object of the vocabulary may have, as every object of the documents. */
const annotations = { 'x-source': textOrTexts, 'x-note': textOrTexts } as const;

const jsonPointer = {
  type: 'string',
  'x-words': 'must be a JSON Pointer, such as /items/0',
  pattern: '^(?:/(?:[^~/]|~[01])*)*$',
} as const;

const conditions = {
  type: 'object',
  minProperties: 1,
  propertyNames: expression,
  additionalProperties: {
    if: { type: 'object' },
    then: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    else: { const: false, 'x-words': 'must be a JSON Schema, or false where it has to be absent' },
  },
} as const;

/**
 * An action of OpenAPI Overlay 1.0. `document` names the document that it changes; default: that of the entry. `convert`
 * converts the selected numbers of examples to strings, or strings to numbers.
 */
const action = object(
  {
    target: { type: 'string', 'x-words': 'must be a JSONPath, such as $.info', pattern: '^\\$' },
    document: { enum: ['openapi', 'asyncapi'] },
    description: { type: 'string' },
    update: true,
    remove: { const: true },
    convert: { enum: ['string', 'number'] },
  },
  ['target'],
);

/** Answers to other entries without which a choice cannot be true, by the ids of the entries. */
const requiredAnswers = {
  type: 'object',
  minProperties: 1,
  propertyNames: ledgerId,
  additionalProperties: text,
} as const;

const choices = {
  type: 'object',
  minProperties: 2,
  propertyNames: ledgerId,
  additionalProperties: {
    if: { type: 'object' },
    then: object(
      {
        value: true,
        meaning: text,
        requires: requiredAnswers,
        actions: { type: 'array', minItems: 1, items: action },
      },
      ['meaning'],
    ),
    else: text,
  },
} as const;

const unstatedEntry = {
  ...object(
    {
      source: textOrTexts,
      question: text,
      remark: text,
      choices,
      assumed: text,
      settled: text,
      documentation: { const: true },
    },
    ['source', 'question'],
  ),
  if: { required: ['documentation'] },
  then: {
    'x-words': 'must have neither choices nor an assumption, because it is documentation only',
    not: { anyOf: [{ required: ['choices'] }, { required: ['assumed'] }] },
  },
} as const;

/** Returns the schema of a text with a placeholder in braces. */
function template(placeholder: string): object {
  const words = `must contain {${placeholder}} in the place of the ${placeholder}`;
  return { type: 'string', 'x-words': words, pattern: `\\{${placeholder}\\}` };
}

const signature = object(
  {
    algorithm: orUnstated({ enum: ['hmac-sha256', 'hmac-sha1', 'hmac-sha512'] }),
    key: object(
      {
        credential: text,
        description: text,
        encoding: orUnstated({ enum: ['utf-8', 'base64', 'hex'] }),
        prefix: text,
      },
      ['credential', 'encoding'],
    ),
    over: {
      type: 'array',
      minItems: 1,
      items: orUnstated({
        if: { type: 'object' },
        then: object({ text: { type: 'string' } }, ['text']),
        else: signedExpression,
      }),
    },
    encoding: orUnstated({ enum: ['base64', 'base64url', 'hex'] }),
    value: template('signature'),
    separator: text,
    timestamp: object(
      {
        header: text,
        format: orUnstated({
          enum: ['iso-8601', 'iso-8601-seconds', 'unix-seconds', 'unix-milliseconds'],
        }),
        tolerance: orUnstated({ type: 'number', exclusiveMinimum: 0 }),
      },
      ['format', 'tolerance'],
    ),
    ...annotations,
  },
  ['algorithm', 'key', 'over', 'encoding'],
);

const accessToken = object(
  {
    operation: text,
    token: expression,
    lifetime: expression,
    value: orUnstated(template('token')),
    ...annotations,
  },
  ['operation', 'token', 'value'],
);

const everyRequestValue = { enum: ['uuid', 'timestamp'] } as const;
const everyRequest = orUnstated({
  if: { type: 'object' },
  then: object(
    { value: orUnstated(everyRequestValue), retry: orUnstated({ enum: ['keep', 'renew'] }) },
    ['value'],
  ),
  else: everyRequestValue,
});

/** A parameter of the call, by which a service recognizes a call that it has already executed. */
const identifyingExpression = {
  type: 'string',
  'x-words':
    'must be the runtime expression of a parameter, such as $request.header.x-request-id or $request.query.id',
  pattern: "^\\$request\\.(?:header\\.[!#$%&'*+.^_`|~0-9A-Za-z-]+|query\\..+|path\\..+)$",
} as const;

/**
 * With `keeps`, the call may be sent again only with the same value of a parameter. A settled answer can also be
 * `false`, which has the same meaning as an operation without the key.
 */
const repeatable = orUnstated({
  if: { type: 'object' },
  then: object({ keeps: identifyingExpression }, ['keeps']),
  else: {
    type: 'boolean',
    'x-words':
      'must be true if the call may be sent again, { keeps: <expression> } if only with the same value of a parameter, or { unstated: <id> }',
  },
});

const absentValue = { type: ['string', 'boolean', 'null'] } as const;

/** The values that stand for a missing member. Receivers compare them without a validator. */
const absentSchema = {
  oneOf: [
    object({ type: { const: 'null' } }, ['type']),
    object({ const: absentValue }, ['const']),
    object({ enum: { type: 'array', items: absentValue, minItems: 1 } }, ['enum']),
  ],
  'x-words': 'must be { type: null }, or a const or enum of texts, booleans and null',
} as const;

/** The schema of a payload has entries with `when`; the schema of a property has entries with `schema`. */
const variants = {
  type: 'object',
  minProperties: 1,
  additionalProperties: {
    if: { type: 'object', required: ['schema'] },
    then: object({ ...annotations, schema: absentSchema, as: { const: 'absent' } }, [
      'schema',
      'as',
    ]),
    else: object(
      {
        ...annotations,
        when: conditions,
        each: jsonPointer,
        as: jsonPointer,
        rename: { type: 'object', additionalProperties: { type: 'string' } },
      },
      ['when'],
    ),
  },
} as const;

/** Conditions with a name, for `x-identified-by`: alternatives, of which one has to hold. */
const namedConditions = {
  type: 'object',
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9]*$' },
  additionalProperties: { type: 'array', minItems: 1, items: conditions },
} as const;

/** The answers that examples presume, by the name of the example or `*`: choices, by the ids of ledger entries. */
const presumes = {
  type: 'object',
  minProperties: 1,
  additionalProperties: {
    type: 'object',
    minProperties: 1,
    propertyNames: ledgerId,
    additionalProperties: text,
  },
} as const;

/** Conditions by expression, and named conditions, which have to hold (`true`) or must not hold (`false`). */
const messageConditions = {
  type: 'object',
  minProperties: 1,
  propertyNames: {
    if: { pattern: '^[A-Za-z]' },
    then: { pattern: '^[A-Za-z][A-Za-z0-9]*$' },
    else: expression,
  },
  patternProperties: {
    '^[A-Za-z]': { type: 'boolean', 'x-words': 'must be true or false' },
    '^[^A-Za-z]': conditions.additionalProperties,
  },
} as const;

const identifiedBy = {
  if: { type: 'array' },
  then: { items: messageConditions, minItems: 1 },
  else: messageConditions,
} as const;

/** An empty list states that no two deliveries are duplicates. */
const dedupeBy = orUnstated({ type: 'array', items: expression });

/** An empty list states that no order has to be kept. */
const orderedBy = orUnstated({ type: 'array', items: expression });

const violation = object({ at: jsonPointer, keyword: text }, ['at', 'keyword']);
const invalidExamples = {
  type: 'array',
  items: object({ name: text, summary: text, ...annotations, payload: true, violates: violation }, [
    'name',
    'payload',
    'violates',
  ]),
} as const;

const texts = { type: 'array', items: text } as const;

const extensibleEnum = {
  type: 'array',
  items: { type: ['string', 'number'] },
  minItems: 1,
  uniqueItems: true,
} as const;

/**
 * Where a key of the vocabulary may be. `anywhere` is any object of the document that allows extensions. `parameter`
 * and `operation` are OpenAPI's. `message` is an AsyncAPI message, or the OpenAPI operation that describes one.
 */
export type ExtensionPlace =
  | 'document'
  | 'info'
  | 'components'
  | 'anywhere'
  | 'security-scheme'
  | 'parameter'
  | 'operation'
  | 'schema'
  | 'message';

export interface ExtensionDefinition {
  readonly places: readonly ExtensionPlace[];
  readonly schema: object;
}

/** Every `x-` key that a document with `x-countersign: 1` may use. */
export const vocabulary: Readonly<Record<string, ExtensionDefinition>> = {
  'x-countersign': { places: ['info'], schema: { const: 1 } },
  'x-default-security': {
    places: ['document'],
    schema: { type: 'array', items: { type: 'object' } },
  },
  'x-source-document': { places: ['info'], schema: text },
  'x-source': { places: ['anywhere'], schema: textOrTexts },
  'x-note': { places: ['anywhere'], schema: textOrTexts },
  'x-unstated': {
    places: ['anywhere'],
    schema: { type: 'object', propertyNames: ledgerId, additionalProperties: unstatedEntry },
  },
  'x-signature': { places: ['security-scheme'], schema: signature },
  'x-access-token': { places: ['security-scheme'], schema: accessToken },
  'x-every-request': { places: ['parameter'], schema: everyRequest },
  'x-repeatable': { places: ['operation'], schema: repeatable },
  'x-variants': { places: ['schema'], schema: variants },
  'x-identified-by': { places: ['message'], schema: identifiedBy },
  'x-dedupe-by': { places: ['message'], schema: dedupeBy },
  'x-ordered-by': { places: ['message'], schema: orderedBy },
  'x-invalid-examples': { places: ['message'], schema: invalidExamples },
  'x-conditions': { places: ['components'], schema: namedConditions },
  'x-presumes': { places: ['anywhere'], schema: presumes },
  'x-countersign-derived-from': { places: ['schema', 'message'], schema: text },
  'x-countersign-note': { places: ['anywhere'], schema: text },
  'x-enum-varnames': { places: ['schema'], schema: texts },
  'x-enum-descriptions': { places: ['schema'], schema: texts },
  'x-extensible-enum': { places: ['schema'], schema: extensibleEnum },
};
