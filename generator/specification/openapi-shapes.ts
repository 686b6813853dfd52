import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import {
  areUnique,
  declaresItsVariables,
  describedReference,
  hasOneExample,
  haveDistinctNames,
  isSerialised,
  isStyled,
  requiresKnown,
} from './openapi-rules.ts';
import { createSchema, externalDocs } from './schema-shapes.ts';
import {
  data,
  listOf,
  mapOf,
  object,
  oneOf,
  orReference,
  text,
  truth,
  type DocumentShapes,
  type ObjectShape,
  type Shape,
} from './shapes.ts';
import { createVocabulary } from './vocabulary-shapes.ts';

/**
 * Creates the grammar of OpenAPI. It is stricter than the specification where tools differ in what they accept. A
 * document that matches it violates neither Redocly's rules nor the specification's JSON Schema.
 */
export function createOpenapiShapes(version: '3.0' | '3.1'): DocumentShapes {
  const is31 = version === '3.1';
  const schema = createSchema(`openapi ${version}`);
  const strings = mapOf(text);
  const referable = (shape: Shape): Shape =>
    is31 ? orReference(shape, describedReference) : orReference(shape);

  const contact = object({ name: text, url: text, email: text });
  const license = object(
    { name: text, url: text, ...(is31 ? { identifier: text } : {}) },
    {
      required: ['name'],
      rule: ({ url, identifier }) => url === undefined || identifier === undefined,
    },
  );
  const info = object(
    {
      title: text,
      version: text,
      description: text,
      termsOfService: text,
      contact,
      license,
      ...(is31 ? { summary: text } : {}),
    },
    { required: ['title', 'version'] },
  );
  const variable = object(
    { enum: listOf(text, 1), default: text, description: text },
    { required: ['default'] },
  );
  const server = object(
    { url: text, description: text, variables: mapOf(variable) },
    { required: ['url'], rule: declaresItsVariables },
  );
  const servers = listOf(server);
  const tag = object({ name: text, description: text, externalDocs }, { required: ['name'] });
  const security = listOf(mapOf(listOf(text)));

  const example = referable(object({ value: data, summary: text, description: text }));
  const examples = { example: data, examples: mapOf(example) };
  const encoding = object(
    {
      contentType: text,
      headers: mapOf((value, walk) => (is31 || !has(value, '$ref')) && header(value, walk)),
      style: oneOf('form', 'spaceDelimited', 'pipeDelimited', 'deepObject'),
      explode: truth,
      allowReserved: truth,
    },
    { extensible: is31 },
  );
  const mediaType = object(
    { schema, ...examples, encoding: mapOf(encoding) },
    { rule: hasOneExample },
  );
  const content = mapOf(mediaType);
  const written = {
    description: text,
    required: truth,
    deprecated: truth,
    allowEmptyValue: truth,
    explode: truth,
    allowReserved: truth,
    schema,
    content,
    ...examples,
  };
  const parameter = referable(
    object(
      { ...written, name: text, in: text, style: text },
      { required: ['name', 'in'], rule: (value) => isSerialised(value) && isStyled(value) },
    ),
  );
  const header = referable(object({ ...written, style: oneOf('simple') }, { rule: isSerialised }));
  const link = referable(
    object(
      {
        operationRef: text,
        operationId: text,
        parameters: strings,
        requestBody: data,
        description: text,
        ...(is31 ? {} : { server }),
      },
      {
        rule: (value) =>
          Object.hasOwn(value, 'operationRef') !== Object.hasOwn(value, 'operationId'),
      },
    ),
  );
  const response = referable(
    object(
      { description: text, headers: mapOf(header), content, links: mapOf(link) },
      { required: ['description'] },
    ),
  );
  const responses = object(
    { default: response },
    {
      others: (name) => (/^[1-5](?:\d\d|XX)$/u.test(name) ? response : undefined),
      rule: (value) => Object.keys(value).length > 0,
    },
  );
  const requestBody = referable(
    object({ description: text, required: truth, content }, { required: ['content'] }),
  );
  const parameters: Shape = (value, walk) =>
    listOf(parameter)(value, walk) && areUnique(value as readonly JsonObject[], walk);
  const operation = object(
    {
      tags: listOf(text),
      summary: text,
      description: text,
      externalDocs,
      operationId: text,
      parameters,
      security,
      servers,
      requestBody,
      responses,
      deprecated: truth,
      callbacks: mapOf((value, walk) => callback(value, walk)),
    },
    { required: is31 ? [] : ['responses'], rule: requiresKnown },
  );
  const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
  const pathItem = object({
    ...Object.fromEntries(methods.map((method) => [method, operation])),
    summary: text,
    description: text,
    servers,
    parameters,
  });
  const named = (shapeOf: NonNullable<ObjectShape['others']>): Shape =>
    object({}, { others: shapeOf });
  const callback = referable(named((name) => (name.includes('{}') ? undefined : pathItem)));
  const paths = named((name) =>
    name.startsWith('/') && !name.includes('{}') && !name.includes('?') ? pathItem : undefined,
  );

  const webhooks = mapOf(pathItem, /^(?!.*\{\}).*$/su);

  const flow = (...urls: readonly string[]): Shape =>
    object(
      { authorizationUrl: text, tokenUrl: text, refreshUrl: text, scopes: strings },
      {
        required: [...urls, 'scopes'],
        rule: (value) =>
          ['authorizationUrl', 'tokenUrl'].every(
            (url) => urls.includes(url) || !Object.hasOwn(value, url),
          ),
      },
    );
  const flows = object({
    implicit: flow('authorizationUrl'),
    password: flow('tokenUrl'),
    clientCredentials: flow('tokenUrl'),
    authorizationCode: flow('authorizationUrl', 'tokenUrl'),
  });
  const schemes: ReadonlyMap<unknown, Shape> = new Map([
    ['apiKey', scheme({ name: text, in: oneOf('query', 'header', 'cookie') })],
    ['http', scheme({ scheme: text }, { bearerFormat: text })],
    ['oauth2', scheme({ flows })],
    ['openIdConnect', scheme({ openIdConnectUrl: text })],
    ...(is31 ? [['mutualTLS', scheme({})] as const] : []),
  ]);
  const securityScheme = referable((value, walk) => {
    if (!isJsonObject(value)) return false;
    if (value['bearerFormat'] !== undefined && value['scheme'] !== 'bearer') return false;
    return schemes.get(value['type'])?.(value, walk) === true;
  });

  const components = (shape: Shape): Shape => mapOf(shape, /^[a-zA-Z0-9._-]+$/u, true);
  const document = object(
    {
      openapi: text,
      info,
      servers,
      security,
      tags: (value, walk) => listOf(tag)(value, walk) && haveDistinctNames(value as JsonObject[]),
      externalDocs,
      paths,
      components: object({
        schemas: components(schema),
        responses: components(response),
        parameters: components(parameter),
        examples: components(example),
        requestBodies: components(requestBody),
        headers: components(header),
        securitySchemes: components(securityScheme),
        links: components(link),
        callbacks: components(callback),
        ...(is31 ? { pathItems: components(pathItem) } : {}),
      }),
      ...(is31
        ? {
            webhooks,
            jsonSchemaDialect: text,
          }
        : { 'x-webhooks': webhooks }),
    },
    {
      required: ['openapi', 'info', ...(is31 ? [] : ['paths'])],
      rule: (value, walk) =>
        !(is31 && Object.hasOwn(value, 'x-webhooks')) &&
        ['paths', 'components', 'webhooks'].some((name) => Object.hasOwn(value, name)) &&
        requiresKnown(value, walk),
    },
  );
  return { document, vocabulary: createVocabulary(schema), extensionNames: /^x-/u };
}

function scheme(
  required: Readonly<Record<string, Shape>>,
  others: Readonly<Record<string, Shape>> = {},
): Shape {
  return object(
    { type: text, description: text, ...required, ...others },
    { required: Object.keys(required) },
  );
}

function has(value: Json, member: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, member);
}
