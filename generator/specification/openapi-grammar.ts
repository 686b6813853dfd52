import type { JsonObject } from '../json/json.ts';
import {
  components,
  data,
  defineObject,
  each,
  leftToTools,
  list,
  map,
  oneOf,
  only,
  text,
  truth,
  type Grammar,
  type ValueGrammar,
} from './object-grammar.ts';
import {
  areUnique,
  declaresItsVariables,
  hasItsUrls,
  hasMembersOfItsType,
  hasOneExample,
  haveDistinctNames,
  isSerialized,
  isStyled,
  requiresKnownSchemes,
} from './openapi-rules.ts';
import { hasNoReference, schema, schemaObjects } from './schema-grammar.ts';

/** The members of a Path Item Object that are operations. OpenAPI 3.2 has added `query`. */
export const operationMethods: readonly string[] =
  'get put post delete options head patch trace query'.split(' ');

const servers = list('server');
const security = list(map(list(text), { refersTo: 'security-scheme' }));
const content = map('media-type');
const parameters = list('parameter', { rule: areUnique });
const examples = { example: data, examples: map('example') };
/** The braces of a path or an expression contain a name. */
const webhooks = map('path-item', { names: /^(?!.*\{\})/su });

const parameterMembers: Readonly<Record<string, ValueGrammar>> = {
  description: text,
  ...each('required deprecated allowEmptyValue explode allowReserved', truth),
  schema,
  content,
  ...examples,
};

/**
 * The grammar of OpenAPI 3.0 to 3.2. Validation accepts only 3.0 and 3.1, and is stricter than the specification where
 * tools differ in what they accept: a document that it accepts violates neither Redocly's rules nor the specification's
 * JSON Schema.
 * @see https://spec.openapis.org/oas/v3.1.1#schema-0
 */
export const openapiGrammar: Grammar = {
  extensionNames: /^x-/u,
  objects: {
    ...schemaObjects('openapi'),
    /** @see https://spec.openapis.org/oas/v3.1.1#openapi-object */
    document: defineObject(
      {
        openapi: text,
        info: 'info',
        jsonSchemaDialect: only(['openapi 3.1'], text),
        servers,
        paths: 'paths',
        webhooks: only(['openapi 3.1'], webhooks),
        // The common name for webhooks in OpenAPI 3.0, which does not define them.
        'x-webhooks': only(['openapi 3.0'], webhooks),
        components: 'components',
        security,
        tags: list('tag', { rule: haveDistinctNames }),
        externalDocs: 'external-docs',
      },
      {
        required: ['openapi', 'info'],
        rule: (value, document) =>
          (document.dialect === 'openapi 3.0'
            ? ['paths']
            : ['paths', 'components', 'webhooks']
          ).some((name) => Object.hasOwn(value, name)) && requiresKnownSchemes(value, document),
      },
    ),
    /** @see https://spec.openapis.org/oas/v3.1.1#info-object */
    info: defineObject(
      {
        ...each('title version description termsOfService', text),
        summary: only(['openapi 3.1'], text),
        contact: 'contact',
        license: 'license',
      },
      { required: ['title', 'version'] },
    ),
    contact: defineObject(each('name url email', text)),
    license: defineObject(
      { name: text, identifier: only(['openapi 3.1'], text), url: text },
      {
        required: ['name'],
        rule: ({ url, identifier }) => url === undefined || identifier === undefined,
      },
    ),
    tag: defineObject(
      { name: text, description: text, externalDocs: 'external-docs' },
      { required: ['name'] },
    ),
    /** @see https://spec.openapis.org/oas/v3.1.1#server-object */
    server: defineObject(
      { url: text, description: text, variables: map('server-variable') },
      { required: ['url'], rule: declaresItsVariables },
    ),
    'server-variable': defineObject(
      { enum: list(text, { min: 1 }), default: text, description: text },
      { required: ['default'] },
    ),
    /** @see https://spec.openapis.org/oas/v3.1.1#components-object */
    components: defineObject({
      schemas: components(schema),
      responses: components('response'),
      parameters: components('parameter'),
      examples: components('example'),
      requestBodies: components('request-body'),
      headers: components('header'),
      securitySchemes: components('security-scheme'),
      links: components('link'),
      callbacks: components('callback'),
      pathItems: only(['openapi 3.1'], components('path-item')),
      // New in OpenAPI 3.2, which validation leaves to the tools.
      mediaTypes: leftToTools(components('media-type')),
    }),
    /** @see https://spec.openapis.org/oas/v3.1.1#paths-object */
    paths: defineObject(
      {},
      { otherMembers: { names: /^\/(?!.*\{\})[^?]*$/su, value: 'path-item' } },
    ),
    'path-item': defineObject({
      ...each('summary description', text),
      servers,
      parameters,
      ...each(operationMethods.join(' '), 'operation'),
      // New in OpenAPI 3.2, which validation leaves to the tools.
      query: leftToTools('operation'),
    }),
    /** @see https://spec.openapis.org/oas/v3.1.1#operation-object */
    operation: defineObject(
      {
        ...each('summary description operationId', text),
        tags: list(text),
        externalDocs: 'external-docs',
        parameters,
        requestBody: 'request-body',
        responses: 'responses',
        callbacks: map('callback'),
        deprecated: truth,
        security,
        servers,
      },
      {
        rule: (value, document) =>
          (document.dialect !== 'openapi 3.0' || Object.hasOwn(value, 'responses')) &&
          requiresKnownSchemes(value, document),
      },
    ),
    callback: defineObject(
      {},
      { reference: 'alone', otherMembers: { names: /^(?!.*\{\})/su, value: 'path-item' } },
    ),
    /** @see https://spec.openapis.org/oas/v3.1.1#parameter-object */
    parameter: defineObject(
      { ...parameterMembers, name: text, in: text, style: text },
      {
        reference: 'alone',
        required: ['name', 'in'],
        rule: (value) => isSerialized(value) && isStyled(value),
      },
    ),
    header: defineObject(
      { ...parameterMembers, style: oneOf('simple') },
      { reference: 'alone', rule: isSerialized },
    ),
    'request-body': defineObject(
      { description: text, content, required: truth },
      { reference: 'alone', required: ['content'] },
    ),
    /** @see https://spec.openapis.org/oas/v3.1.1#media-type-object */
    'media-type': defineObject(
      {
        schema,
        itemSchema: leftToTools(schema),
        ...examples,
        encoding: map('encoding'),
      },
      { rule: hasOneExample },
    ),
    encoding: defineObject(
      {
        contentType: text,
        headers: map('header'),
        style: oneOf('form', 'spaceDelimited', 'pipeDelimited', 'deepObject'),
        ...each('explode allowReserved', truth),
      },
      {
        isExtensible: false,
        rule: ({ headers = {} }, { dialect }) =>
          dialect !== 'openapi 3.0' || Object.values(headers as JsonObject).every(hasNoReference),
      },
    ),
    /** @see https://spec.openapis.org/oas/v3.1.1#responses-object */
    responses: defineObject(
      { default: 'response' },
      {
        otherMembers: { names: /^[1-5](?:\d\d|XX)$/u, value: 'response' },
        rule: (value) => Object.keys(value).length > 0,
      },
    ),
    response: defineObject(
      { description: text, headers: map('header'), content, links: map('link') },
      { reference: 'alone', required: ['description'] },
    ),
    example: defineObject(
      { summary: text, description: text, value: data },
      { reference: 'alone' },
    ),
    /** @see https://spec.openapis.org/oas/v3.1.1#link-object */
    link: defineObject(
      {
        ...each('operationRef operationId description', text),
        parameters: map(text),
        requestBody: data,
        server: only(['openapi 3.0'], 'server'),
      },
      {
        reference: 'alone',
        rule: (value) =>
          Object.hasOwn(value, 'operationRef') !== Object.hasOwn(value, 'operationId'),
      },
    ),
    /** @see https://spec.openapis.org/oas/v3.1.1#security-scheme-object */
    'security-scheme': defineObject(
      {
        ...each('type description name scheme bearerFormat openIdConnectUrl', text),
        in: oneOf('query', 'header', 'cookie'),
        flows: 'oauth-flows',
      },
      { reference: 'alone', rule: hasMembersOfItsType },
    ),
    'oauth-flows': defineObject(
      each('implicit password clientCredentials authorizationCode', 'oauth-flow'),
      { rule: hasItsUrls },
    ),
    'oauth-flow': defineObject(
      { ...each('authorizationUrl tokenUrl refreshUrl', text), scopes: map(text) },
      { required: ['scopes'] },
    ),
  },
};
