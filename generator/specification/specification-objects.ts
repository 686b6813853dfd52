/**
 * The objects of OpenAPI 3.0–3.1 and AsyncAPI 3, and their members that hold further objects. All other members are
 * data, text or names from the contract, and an `x-` key in them is not an extension. Sources: OpenAPI 3.1.1 section
 * 4.8; AsyncAPI 3.0.0 "Schema"; JSON Schema 2020-12 Core section 10 and draft-07.
 */

/**
 * The kind of an object. Objects with the same name in both specifications share a kind, such as `schema` and
 * `message`.
 */
export type PlaceKind =
  | 'document'
  | 'info'
  | 'contact'
  | 'license'
  | 'external-docs'
  | 'tag'
  | 'server'
  | 'server-variable'
  | 'components'
  | 'security-scheme'
  | 'oauth-flows'
  | 'oauth-flow'
  | 'parameter'
  | 'operation'
  | 'schema'
  | 'discriminator'
  | 'xml'
  // OpenAPI
  | 'paths'
  | 'path-item'
  | 'callback'
  | 'request-body'
  | 'responses'
  | 'response'
  | 'header'
  | 'media-type'
  | 'encoding'
  | 'example'
  | 'link'
  // AsyncAPI
  | 'channel'
  | 'message'
  | 'message-example'
  | 'multi-format-schema'
  | 'bindings'
  | 'binding'
  | 'correlation-id'
  | 'reply'
  | 'reply-address'
  | 'reference';

/** How a member holds objects: directly, in an array, in either way, or as a map with names from the contract. */
export type Shape = 'one' | 'list' | 'one-or-list' | 'map';

export interface Holder {
  readonly shape: Shape;
  readonly kind: PlaceKind;
}

export interface ObjectGrammar {
  readonly members: ReadonlyMap<string, Holder>;
  /** The kind of all members except extensions, for objects whose member names the contract chooses. */
  readonly others?: PlaceKind;
}

export type Grammar = ReadonlyMap<PlaceKind, ObjectGrammar>;

type Row = readonly [member: string, shape: Shape, kind: PlaceKind];

function toObject(rows: readonly Row[], others?: PlaceKind): ObjectGrammar {
  const members = new Map(rows.map(([member, shape, kind]) => [member, { shape, kind }]));
  return others === undefined ? { members } : { members, others };
}

const docs: Row = ['externalDocs', 'one', 'external-docs'];
const tags: Row = ['tags', 'list', 'tag'];
const bindings: Row = ['bindings', 'one', 'bindings'];

const schema: ObjectGrammar = toObject([
  ...['properties', 'patternProperties', '$defs', 'definitions'].map(toSchemaMap),
  ...['dependentSchemas', 'dependencies'].map(toSchemaMap),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name): Row => [name, 'list', 'schema']),
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'contentSchema'].map(toSubschema),
  ...['additionalProperties', 'additionalItems'].map(toSubschema),
  ...['unevaluatedItems', 'unevaluatedProperties'].map(toSubschema),
  ['items', 'one-or-list', 'schema'],
  ['discriminator', 'one', 'discriminator'],
  ['xml', 'one', 'xml'],
  docs,
]);

function toSchemaMap(member: string): Row {
  return [member, 'map', 'schema'];
}

function toSubschema(member: string): Row {
  return [member, 'one', 'schema'];
}

const shared: readonly (readonly [PlaceKind, ObjectGrammar])[] = [
  ['tag', toObject([docs])],
  ['security-scheme', toObject([['flows', 'one', 'oauth-flows']])],
  [
    'oauth-flows',
    toObject(
      ['implicit', 'password', 'clientCredentials', 'authorizationCode'].map((flow): Row => [
        flow,
        'one',
        'oauth-flow',
      ]),
    ),
  ],
  ['schema', schema],
];

const parameter: ObjectGrammar = toObject([
  ['schema', 'one', 'schema'],
  ['content', 'map', 'media-type'],
  ['examples', 'map', 'example'],
]);

/** The members of a Path Item Object that are operations. */
export const operationMethods: readonly string[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  // OpenAPI 3.2
  'query',
];
const methods = operationMethods.map((method): Row => [method, 'one', 'operation']);

export const openapiGrammar: Grammar = new Map<PlaceKind, ObjectGrammar>([
  ...shared,
  [
    'document',
    toObject([
      ['info', 'one', 'info'],
      ['servers', 'list', 'server'],
      ['paths', 'one', 'paths'],
      ['webhooks', 'map', 'path-item'],
      // The common name for webhooks in OpenAPI 3.0, which does not define them.
      ['x-webhooks', 'map', 'path-item'],
      ['components', 'one', 'components'],
      tags,
      docs,
    ]),
  ],
  [
    'info',
    toObject([
      ['contact', 'one', 'contact'],
      ['license', 'one', 'license'],
    ]),
  ],
  ['server', toObject([['variables', 'map', 'server-variable']])],
  ['paths', toObject([], 'path-item')],
  [
    'path-item',
    toObject([['servers', 'list', 'server'], ['parameters', 'list', 'parameter'], ...methods]),
  ],
  [
    'operation',
    toObject([
      ['parameters', 'list', 'parameter'],
      ['requestBody', 'one', 'request-body'],
      ['responses', 'one', 'responses'],
      ['callbacks', 'map', 'callback'],
      ['servers', 'list', 'server'],
      docs,
    ]),
  ],
  ['callback', toObject([], 'path-item')],
  ['parameter', parameter],
  ['header', parameter],
  ['request-body', toObject([['content', 'map', 'media-type']])],
  ['responses', toObject([], 'response')],
  [
    'response',
    toObject([
      ['headers', 'map', 'header'],
      ['content', 'map', 'media-type'],
      ['links', 'map', 'link'],
    ]),
  ],
  [
    'media-type',
    toObject([
      ['schema', 'one', 'schema'],
      ['itemSchema', 'one', 'schema'],
      ['examples', 'map', 'example'],
      ['encoding', 'map', 'encoding'],
    ]),
  ],
  ['encoding', toObject([['headers', 'map', 'header']])],
  ['link', toObject([['server', 'one', 'server']])],
  [
    'components',
    toObject([
      ['schemas', 'map', 'schema'],
      ['responses', 'map', 'response'],
      ['parameters', 'map', 'parameter'],
      ['examples', 'map', 'example'],
      ['requestBodies', 'map', 'request-body'],
      ['headers', 'map', 'header'],
      ['securitySchemes', 'map', 'security-scheme'],
      ['links', 'map', 'link'],
      ['callbacks', 'map', 'callback'],
      ['pathItems', 'map', 'path-item'],
    ]),
  ],
]);

const message: ObjectGrammar = toObject([
  ['headers', 'one', 'schema'],
  ['payload', 'one', 'schema'],
  ['correlationId', 'one', 'correlation-id'],
  ['examples', 'list', 'message-example'],
  ['traits', 'list', 'message'],
  tags,
  docs,
  bindings,
]);

export const asyncapiGrammar: Grammar = new Map<PlaceKind, ObjectGrammar>([
  ...shared,
  [
    'document',
    toObject([
      ['info', 'one', 'info'],
      ['servers', 'map', 'server'],
      ['channels', 'map', 'channel'],
      ['operations', 'map', 'operation'],
      ['components', 'one', 'components'],
    ]),
  ],
  ['info', toObject([['contact', 'one', 'contact'], ['license', 'one', 'license'], tags, docs])],
  [
    'server',
    toObject([
      ['variables', 'map', 'server-variable'],
      ['security', 'list', 'security-scheme'],
      tags,
      docs,
      bindings,
    ]),
  ],
  [
    'channel',
    toObject([
      ['messages', 'map', 'message'],
      ['parameters', 'map', 'parameter'],
      ['servers', 'list', 'reference'],
      tags,
      docs,
      bindings,
    ]),
  ],
  [
    'operation',
    toObject([
      ['channel', 'one', 'reference'],
      ['messages', 'list', 'reference'],
      ['security', 'list', 'security-scheme'],
      ['traits', 'list', 'operation'],
      ['reply', 'one', 'reply'],
      tags,
      docs,
      bindings,
    ]),
  ],
  [
    'reply',
    toObject([
      ['address', 'one', 'reply-address'],
      ['channel', 'one', 'reference'],
      ['messages', 'list', 'reference'],
    ]),
  ],
  ['message', message],
  ['multi-format-schema', toObject([['schema', 'one', 'schema']])],
  ['bindings', toObject([], 'binding')],
  ['binding', toObject(['query', 'headers', 'key', 'groupId', 'clientId'].map(toSubschema))],
  [
    'components',
    toObject([
      ['schemas', 'map', 'schema'],
      ['servers', 'map', 'server'],
      ['serverVariables', 'map', 'server-variable'],
      ['channels', 'map', 'channel'],
      ['operations', 'map', 'operation'],
      ['messages', 'map', 'message'],
      ['securitySchemes', 'map', 'security-scheme'],
      ['parameters', 'map', 'parameter'],
      ['correlationIds', 'map', 'correlation-id'],
      ['replies', 'map', 'reply'],
      ['replyAddresses', 'map', 'reply-address'],
      ['externalDocs', 'map', 'external-docs'],
      ['tags', 'map', 'tag'],
      ['operationTraits', 'map', 'operation'],
      ['messageTraits', 'map', 'message'],
      ['serverBindings', 'map', 'bindings'],
      ['channelBindings', 'map', 'bindings'],
      ['operationBindings', 'map', 'bindings'],
      ['messageBindings', 'map', 'bindings'],
    ]),
  ],
]);
