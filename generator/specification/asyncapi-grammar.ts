import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import {
  anyOf,
  components,
  data,
  defineObject,
  each,
  leftToTools,
  list,
  map,
  nothing,
  oneOf,
  reference,
  scalar,
  text,
  type Grammar,
  type ValueGrammar,
} from './object-grammar.ts';
import { schemaNameOf } from './multi-format-schema.ts';
import { areDistinct, hasNoReference, schema, schemaObjects } from './schema-grammar.ts';

const tags = list('tag', { rule: areDistinct });
const described: Readonly<Record<string, ValueGrammar>> = {
  ...each('title summary description', text),
  tags,
  externalDocs: 'external-docs',
};
const valueList: Readonly<Record<string, ValueGrammar>> = {
  ...each('default description', text),
  ...each('enum examples', list(text)),
};
const bindings = leftToTools('bindings');
const security = list('security-scheme');
const replyMessages = list(reference('message'));
const location = scalar(
  (value) =>
    typeof value === 'string' && /^\$message\.(?:header|payload)#(?:\/[^/~]*)*$/u.test(value),
);
const located = defineObject(
  { description: text, location },
  { reference: 'alone', required: ['location'] },
);
const messageTrait: Readonly<Record<string, ValueGrammar>> = {
  ...described,
  ...each('name contentType', text),
  headers: schemaNameOf,
  correlationId: 'correlation-id',
  examples: list('message-example'),
  bindings,
};

/** The types of security schemes with the members that each requires. Validation leaves other types to the tools. */
const schemeMembers: ReadonlyMap<Json | undefined, readonly string[]> = new Map([
  ...'userPassword X509 symmetricEncryption asymmetricEncryption plain scramSha256 scramSha512 gssapi'
    .split(' ')
    .map((type): [string, readonly string[]] => [type, []]),
  ['apiKey', ['in']],
  ['httpApiKey', ['name', 'in']],
  ['http', ['scheme']],
]);

/** Returns whether a security scheme has the members that its type requires, and no other. */
function hasMembersOfItsType({ type, ...others }: JsonObject): boolean {
  const required = schemeMembers.get(type);
  if (required === undefined) return false;
  const { in: place, scheme } = others;
  const ofUser = place === 'user' || place === 'password';
  return (
    (place === undefined || ofUser === (type === 'apiKey')) &&
    required.every((name) => Object.hasOwn(others, name)) &&
    Object.keys(others).every(
      (name) =>
        name.startsWith('x-') ||
        name === 'description' ||
        required.includes(name) ||
        (name === 'bearerFormat' && scheme === 'bearer'),
    )
  );
}

/**
 * The grammar of AsyncAPI 3. Validation leaves the rare parts to the tools: OAuth 2.0 and OpenID Connect, most bindings, and
 * schemas in other formats. A document that it accepts violates neither Redocly's rules nor the specification's JSON
 * Schema.
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#schema
 */
export const asyncapiGrammar: Grammar = {
  extensionNames: /^x-[\w.-]+$/u,
  objects: {
    ...schemaObjects('asyncapi'),
    'multi-format-schema': defineObject({ schemaFormat: leftToTools(text), schema }),
    'other-format-schema': defineObject(
      { schemaFormat: leftToTools(text), schema: data },
      { kind: 'multi-format-schema' },
    ),
    /** @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#A2SObject */
    document: defineObject(
      {
        ...each('asyncapi id defaultContentType', text),
        info: 'info',
        servers: map('server'),
        channels: map('channel'),
        operations: map('operation'),
        components: 'components',
      },
      { required: ['asyncapi', 'info'] },
    ),
    /** @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#infoObject */
    info: defineObject(
      {
        ...each('title version description termsOfService', text),
        contact: 'contact',
        license: 'license',
        tags,
        externalDocs: 'external-docs',
        // The specification defines the types of these two extensions.
        ...each('x-x x-linkedin', leftToTools(text)),
      },
      { required: ['title', 'version'] },
    ),
    contact: defineObject(each('name url email', text)),
    license: defineObject({ name: text, url: text }, { required: ['name'] }),
    tag: defineObject(
      { name: text, description: text, externalDocs: 'external-docs' },
      { reference: 'alone', required: ['name'] },
    ),
    /** @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#serverObject */
    server: defineObject(
      {
        ...described,
        ...each('host protocol protocolVersion pathname', text),
        variables: map('server-variable'),
        security,
        bindings,
      },
      { reference: 'alone', required: ['host', 'protocol'] },
    ),
    'server-variable': defineObject(
      { ...valueList, enum: list(text, { rule: areDistinct }) },
      { reference: 'alone' },
    ),
    /** @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#channelObject */
    channel: defineObject(
      {
        ...described,
        // The address is unknown if it is `null` or missing.
        address: anyOf(nothing, text),
        messages: map('message'),
        servers: list(reference('server'), { rule: areDistinct }),
        parameters: map('parameter'),
        bindings,
      },
      { reference: 'alone' },
    ),
    parameter: defineObject({ ...valueList, location }, { reference: 'alone' }),
    /** @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#operationObject */
    operation: defineObject(
      {
        ...described,
        action: oneOf('send', 'receive'),
        channel: reference('channel'),
        messages: replyMessages,
        reply: 'reply',
        traits: list('operation-trait'),
        security,
        bindings: 'operation-bindings',
      },
      { reference: 'alone', required: ['action', 'channel'] },
    ),
    'operation-trait': defineObject(
      { ...described, security, bindings: 'operation-bindings' },
      { reference: 'alone', kind: 'operation' },
    ),
    reply: defineObject(
      { address: 'reply-address', channel: reference('channel'), messages: replyMessages },
      { reference: 'alone' },
    ),
    'reply-address': located,
    /** @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#messageObject */
    message: defineObject(
      { ...messageTrait, payload: schemaNameOf, traits: list('message-trait') },
      { reference: 'alone' },
    ),
    'message-trait': defineObject(messageTrait, { reference: 'alone', kind: 'message' }),
    'message-example': defineObject(
      {
        headers: scalar((value) => isJsonObject(value) && hasNoReference(value)),
        payload: data,
        ...each('name summary', text),
      },
      {
        isExtensible: false,
        rule: ({ headers, payload }) =>
          (headers !== undefined || payload !== undefined) && hasNoReference(payload),
      },
    ),
    'correlation-id': located,
    /** @see https://github.com/asyncapi/bindings */
    bindings: defineObject({}, { otherMembers: { names: /^/u, value: 'binding' } }),
    binding: defineObject(each('query headers key groupId clientId', schema)),
    'operation-bindings': defineObject(
      { http: 'http-operation-binding' },
      { otherMembers: { names: /^/u, value: leftToTools('binding') }, kind: 'bindings' },
    ),
    /** @see https://github.com/asyncapi/bindings/blob/master/http/README.md */
    'http-operation-binding': defineObject(
      {
        method: oneOf(...'GET PUT POST PATCH DELETE HEAD OPTIONS CONNECT TRACE'.split(' ')),
        query: leftToTools(schema),
        bindingVersion: oneOf('0.3.0'),
      },
      { isExtensible: false, kind: 'binding' },
    ),
    /** @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#componentsObject */
    components: defineObject({
      schemas: components(schemaNameOf),
      servers: components('server'),
      channels: components('channel'),
      operations: components('operation'),
      messages: components('message'),
      securitySchemes: components('security-scheme'),
      serverVariables: components('server-variable'),
      parameters: components('parameter'),
      correlationIds: components('correlation-id'),
      replies: components('reply'),
      replyAddresses: components('reply-address'),
      externalDocs: leftToTools(components('external-docs')),
      tags: leftToTools(components('tag')),
      operationTraits: components('operation-trait'),
      messageTraits: components('message-trait'),
      ...each(
        'serverBindings channelBindings operationBindings messageBindings',
        leftToTools(components('bindings')),
      ),
    }),
    /** @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#securitySchemeObject */
    'security-scheme': defineObject(
      {
        ...each('type description name scheme bearerFormat openIdConnectUrl', text),
        in: oneOf('user', 'password', 'query', 'header', 'cookie'),
        scopes: list(text),
        flows: 'oauth-flows',
      },
      { reference: 'alone', required: ['type'], rule: hasMembersOfItsType },
    ),
    'oauth-flows': defineObject(
      each('implicit password clientCredentials authorizationCode', 'oauth-flow'),
    ),
    'oauth-flow': defineObject({}),
  },
};
