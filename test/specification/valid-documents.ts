import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';

const book = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', format: 'uuid', minLength: 1, pattern: '^.+$' },
    pages: { type: 'integer', minimum: 0, exclusiveMinimum: true, multipleOf: 2 },
    kind: { type: 'string', enum: ['novel', 'essay'], default: 'novel', nullable: true },
    author: { allOf: [{ $ref: '#/components/schemas/Author' }], description: 'Who wrote it.' },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 5 },
    others: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Author' } },
  },
  additionalProperties: false,
  externalDocs: { url: 'https://example.com/' },
  example: { id: 'a', $ref: '#is-data' },
  xml: { name: 'book', wrapped: true },
  'x-shelf': { row: 1 },
};

const parameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

const operation = {
  operationId: 'getBook',
  summary: 'One book.',
  tags: ['books'],
  deprecated: false,
  security: [{ key: [] }, { login: ['read'] }],
  servers: [
    { url: 'https://{region}.example.com', variables: { region: { default: 'a', enum: ['a'] } } },
  ],
  parameters: [
    { $ref: '#/components/parameters/Language' },
    { name: 'q', in: 'query', style: 'form', explode: true, schema: {} },
    { name: 'filter', in: 'query', content: { 'application/json': { schema: {} } } },
  ],
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: { type: 'object', properties: { cover: { type: 'string' } } },
        encoding: { cover: { contentType: 'image/png', headers: { A: { schema: {} } } } },
      },
    },
  },
  responses: {
    '200': {
      description: 'The book.',
      headers: { ETag: { required: true, style: 'simple', schema: { type: 'string' } } },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Book' },
          examples: { one: { $ref: '#/components/examples/One' }, two: { value: 2 } },
        },
      },
      links: { author: { operationId: 'getBook', parameters: { id: '$response.body#/id' } } },
    },
    '4XX': { $ref: '#/components/responses/Problem' },
    default: { description: 'Anything else.' },
  },
  callbacks: {
    lent: { '{$request.body#/url}': { post: { responses: { '204': { description: '' } } } } },
  },
};

const components = {
  schemas: {
    Book: book,
    Author: {
      oneOf: [{ $ref: '#/components/schemas/Person' }, { $ref: '#/components/schemas/Firm' }],
      discriminator: { propertyName: 'kind', mapping: { p: '#/components/schemas/Person' } },
    },
    Person: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
    Firm: { not: { type: 'string' }, properties: { owner: { $ref: '#/components/schemas/Firm' } } },
  },
  parameters: { Language: { name: 'Accept-Language', in: 'header', schema: { type: 'string' } } },
  responses: { Problem: { description: 'A problem.' } },
  examples: { One: { summary: 'One.', value: { externalValue: 'is data' } } },
  requestBodies: { Any: { content: {} } },
  headers: { Trace: { schema: { type: 'string' }, example: 'a' } },
  links: { Same: { operationRef: '#/paths/~1books~1{id}/get' } },
  callbacks: { Lent: { '/lent': { post: { responses: { '200': { description: '' } } } } } },
  securitySchemes: {
    key: { type: 'apiKey', name: 'key', in: 'header' },
    token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    login: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://example.com/', scopes: { read: 'Read.' } } },
    },
    open: { type: 'openIdConnect', openIdConnectUrl: 'https://example.com/' },
  },
};

const openapi30 = {
  openapi: '3.0.3',
  info: {
    title: 'Library',
    version: '1.0.0',
    contact: { email: 'a@example.com' },
    license: { name: 'MIT', url: 'https://example.com/' },
  },
  servers: [{ url: '/' }],
  security: [],
  tags: [{ name: 'books' }, { name: 'authors', description: 'Who write.' }],
  externalDocs: { url: 'https://example.com/' },
  paths: {
    '/books/{id}': { summary: 'Books.', parameters: [parameter], get: operation },
    '/authors': { post: { responses: { default: { description: '' } } }, 'x-lazy': true },
  },
  components,
  'x-webhooks': { lent: { post: { responses: { '200': { description: '' } } } } },
};

const { 'x-webhooks': webhooks, ...common } = openapi30;

const openapi31 = {
  ...common,
  openapi: '3.1.0',
  info: { ...openapi30.info, summary: 'Books.', 'x-countersign': 1 },
  webhooks,
  components: {
    ...components,
    pathItems: { Any: { get: {} } },
    schemas: {
      ...components.schemas,
      Book: {
        ...book,
        properties: {
          id: { type: ['string', 'null'], const: 'a', examples: ['a'] },
          pages: { type: 'integer', exclusiveMinimum: 0 },
          author: { $ref: '#/components/schemas/Author', description: 'Who wrote it.' },
          tags: { prefixItems: [true], items: false, contains: {}, minContains: 1 },
          others: { patternProperties: { '^a': {} }, propertyNames: { maxLength: 3 } },
        },
        if: { required: ['id'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { dependentRequired: { id: ['pages'] } },
        else: { dependentSchemas: { id: {} }, unevaluatedProperties: false },
        $defs: { Local: { $comment: 'Unused.' } },
        'x-variants': { lent: { when: { kind: { const: 'novel' } }, name: 'Lent' } },
        'x-identified-by': { kind: { const: 'novel' } },
      },
    },
  },
};

const asyncapi = {
  asyncapi: '3.0.0',
  id: 'urn:example',
  info: {
    title: 'Library',
    version: '1.0.0',
    contact: { email: 'a@example.com' },
    license: { name: 'MIT' },
    tags: [{ name: 'books' }, { $ref: '#/components/x-tags/authors' }],
    externalDocs: { url: 'https://example.com/' },
    'x-countersign': 1,
  },
  servers: {
    main: {
      host: '{region}.example.com',
      protocol: 'https',
      variables: { region: { default: 'a', enum: ['a'] } },
      security: [{ $ref: '#/components/securitySchemes/key' }, { type: 'X509' }],
    },
  },
  defaultContentType: 'application/json',
  channels: {
    lent: {
      address: '/lent/{id}',
      parameters: { id: { description: 'Which.', location: '$message.payload#/id' } },
      messages: { lent: { $ref: '#/components/messages/lent' } },
      servers: [{ $ref: '#/servers/main' }],
    },
    returned: { address: null, messages: { returned: {} } },
  },
  operations: {
    tellLent: {
      action: 'send',
      channel: { $ref: '#/channels/lent' },
      messages: [{ $ref: '#/channels/lent/messages/lent' }],
      traits: [{ $ref: '#/components/operationTraits/plain' }],
      reply: {
        channel: { $ref: '#/channels/returned' },
        address: { location: '$message.header#/a' },
      },
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      security: [{ type: 'http', scheme: 'basic', 'x-more': 1 }],
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'httpApiKey', name: 'key', in: 'header', description: 'A key.' },
      login: { type: 'userPassword' },
      user: { type: 'apiKey', in: 'user' },
      token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      same: { $ref: '#/components/securitySchemes/key' },
    },
    messages: {
      lent: {
        name: 'lent',
        title: 'Lent',
        contentType: 'application/json',
        headers: { type: 'object', properties: { a: { type: 'string' } } },
        payload: { $ref: '#/components/schemas/Book' },
        correlationId: { $ref: '#/components/correlationIds/id' },
        traits: [{ name: 'lent', examples: [{ headers: { a: 'a' } }] }],
        examples: [{ name: 'one', payload: { id: 'a' } }],
        'x-invalid-examples': [{ name: 'none', payload: {} }],
        'x-identified-by': [{ kind: { const: 'novel' } }],
      },
    },
    correlationIds: { id: { location: '$message.payload#/id' } },
    operationTraits: { plain: { summary: 'Plain.' } },
    schemas: {
      Book: {
        type: ['object', 'null'],
        required: ['id'],
        properties: {
          id: { type: 'string', enum: ['a', null], examples: ['a'] },
          author: { allOf: [{ $ref: '#/components/schemas/Author' }], 'x-source': '1' },
        },
        patternProperties: { '^x': false },
        if: { required: ['id'] },
        else: { not: {} },
        externalDocs: { url: 'https://example.com/' },
      },
      Author: { type: 'string', maxLength: 5, default: 'a' },
    },
    'x-tags': { authors: { name: 'authors' } },
  },
};

/** Valid documents that contain every kind of object. */
export const validDocuments: Readonly<Record<string, JsonObject>> = {
  'OpenAPI 3.0': toJson(openapi30),
  'OpenAPI 3.1': toJson(openapi31),
  'AsyncAPI 3.0': toJson(asyncapi),
  'AsyncAPI 3.1': toJson({ ...asyncapi, asyncapi: '3.1.0' }),
};

/** The values that replace each member of a valid document in turn. */
const replacements: readonly Json[] = [
  null,
  true,
  0,
  -1,
  '',
  'text',
  [],
  ['a', 'a'],
  {},
  { a: 1 },
  { $ref: '#/nowhere' },
  { $ref: '#/info' },
  { $ref: '#/components/schemas/Book' },
  { $ref: 'other.json' },
];

/** The members that are added to each object in turn. */
const additions: Readonly<Record<string, Json>> = {
  $ref: '#/components/schemas/Firm',
  'x-more': { $ref: '#/info' },
  'x-other': { $ref: 'other.json' },
  'x-example': { externalValue: 'other.json' },
  'x-invalid-examples': [{ payload: { $ref: 'other.json' } }],
  unknown: 1,
  schema: {},
  content: {},
  example: 1,
  examples: {},
  style: 'form',
  description: 'A text.',
  required: true,
  'a b': {},
  payload: {},
  messages: {},
  bindings: {},
  traits: [],
  discriminator: 'kind',
  schemaFormat: 'application/json',
  '600': { description: '' },
  '/a?b': {},
  '/a{}': {},
  '/books/{other}': {},
};

/** Yields every document that differs from a valid one by one change, with a description of the change. */
export function* changesOf(document: JsonObject): Generator<readonly [string, JsonObject]> {
  const places = [...placesOf(document, [])];
  for (const [index, { way, value }] of places.entries()) {
    const change = (what: string, edit: (holder: Record<string, Json>, member: string) => void) => {
      const changed = structuredClone(document);
      const member = way.at(-1) ?? '';
      let holder: Json | undefined = changed;
      for (const step of way.slice(0, -1)) holder = (holder as Record<string, Json>)[step];
      edit(holder as Record<string, Json>, member);
      return [`${way.join(' > ')}: ${what}`, changed] as const;
    };
    yield change('removed', (holder, member) => {
      if (Array.isArray(holder)) holder.splice(Number(member), 1);
      else delete holder[member];
    });
    for (const other of replacements) {
      yield change(JSON.stringify(other), (holder, member) => {
        holder[member] = other;
      });
    }
    const elsewhere = places[(index * 7 + 3) % places.length]?.value ?? null;
    yield change('a value from another place', (holder, member) => {
      holder[member] = structuredClone(elsewhere);
    });
    if (!isJsonObject(value)) continue;
    for (const [name, addition] of Object.entries(additions)) {
      yield change(`with ${name}`, (holder, member) => {
        Object.assign(holder[member] as object, { [name]: structuredClone(addition) });
      });
    }
  }
}

function* placesOf(
  value: Json | undefined,
  way: readonly string[],
): Generator<{ readonly way: readonly string[]; readonly value: Json }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [member, child] of Object.entries(value)) {
    if (child === undefined || member === 'openapi' || member === 'asyncapi') continue;
    yield { way: [...way, member], value: child };
    yield* placesOf(child, [...way, member]);
  }
}

function toJson(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
