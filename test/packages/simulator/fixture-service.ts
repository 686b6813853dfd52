import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from 'countersign/kit';
import type {
  Check,
  ServedContent,
  ServedOperation,
  ServedParameter,
  ServiceData,
  Service,
} from '../../../packages/simulator/src/service.ts';
import { toSecurity } from './to-security.ts';

// One for all: each would compile the schema of schemas first.
const ajv = new Ajv2020({ allErrors: true, strict: false });

/** Compiles a check, as generated code does. */
export function toCheck(schema: Readonly<Record<string, unknown>>): Check {
  const validate = ajv.compile(schema);
  return {
    accepts: (value) => validate(value),
    violations: (value) =>
      validate(value)
        ? []
        : (validate.errors ?? []).map(({ instancePath, keyword, message = '' }) => ({
            pointer: instancePath,
            keyword,
            message,
          })),
  };
}

const json = (check: string, example: Json): ServedContent => ({
  mediaType: 'application/json',
  schema: check,
  examples: [{ name: 'example', value: example }],
});

const text = { types: ['string'] } as const;

const everyCall: readonly ServedParameter[] = [
  {
    name: 'X-Timestamp',
    in: 'header',
    required: true,
    style: 'simple',
    explode: false,
    shape: text,
    everyRequest: { value: 'timestamp', retry: 'renew' },
  },
  {
    name: 'X-Request-Id',
    in: 'header',
    required: true,
    style: 'simple',
    explode: false,
    shape: text,
    everyRequest: { value: 'uuid', retry: 'keep' },
  },
];

const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

const headerSchema = {
  type: 'object',
  properties: { 'x-timestamp': { type: 'string' }, 'x-request-id': { pattern: uuid } },
};

/** The schemas of the fixture service, by the names of their checks. */
const fixtureSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'issueToken parameters': { type: 'object', properties: { header: headerSchema } },
  'issueToken body': {
    type: 'object',
    required: ['client_id', 'client_secret'],
    properties: { client_id: { type: 'string' }, client_secret: { type: 'string' } },
  },
  'issueToken 200': { type: 'object' },
  'getThing parameters': {
    type: 'object',
    properties: {
      header: headerSchema,
      path: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
      query: {
        type: 'object',
        properties: {
          expand: { type: 'array', items: { enum: ['owner', 'parts'] } },
          deep: { type: 'boolean' },
        },
      },
    },
  },
  thing: {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  },
  'createThing parameters': { type: 'object', properties: { header: headerSchema } },
  newThing: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: { name: { type: 'string' }, note: { type: 'string' }, size: { type: 'number' } },
  },
  problem: { type: 'object' },
};

const operations: readonly ServedOperation[] = [
  {
    name: 'issueToken',
    id: 'issueToken',
    method: 'POST',
    path: '/token',
    parameters: everyCall,
    requestBody: {
      required: true,
      content: [
        {
          mediaType: 'application/x-www-form-urlencoded',
          schema: 'issueToken body',
          shape: { types: ['object'], properties: { client_id: text, client_secret: text } },
          examples: [],
        },
      ],
    },
    responses: [
      {
        status: '2XX',
        description: 'A token.',
        fixedHeaders: {},
        content: [json('issueToken 200', { access_token: 'example', expires_in: 3600 })],
      },
    ],
    security: toSecurity([['apiKey', 'signature']]),
  },
  {
    name: 'getThing',
    id: 'getThing',
    method: 'GET',
    path: '/things/{id}',
    parameters: [
      ...everyCall,
      {
        name: 'id',
        in: 'path',
        required: true,
        style: 'simple',
        explode: false,
        shape: { types: ['integer'] },
      },
      {
        name: 'expand',
        in: 'query',
        required: false,
        style: 'form',
        explode: false,
        shape: { types: ['array'], items: text },
      },
      {
        name: 'deep',
        in: 'query',
        required: false,
        style: 'form',
        explode: true,
        shape: { types: ['boolean'] },
      },
    ],
    responses: [
      {
        status: '200',
        description: 'The thing.',
        fixedHeaders: { 'X-Version': '1' },
        content: [
          {
            mediaType: 'application/json',
            schema: 'thing',
            examples: [],
          },
          {
            mediaType: 'text/plain',
            examples: [{ name: 'text', value: 'one' }],
          },
        ],
      },
      {
        status: '401',
        description: 'Not authenticated.',
        fixedHeaders: {},
        content: [json('problem', { error: 'not authenticated' })],
      },
    ],
    security: toSecurity([['apiKey', 'accessToken', 'signature']]),
  },
  {
    name: 'createThing',
    id: 'createThing',
    method: 'POST',
    path: '/things',
    parameters: everyCall,
    requestBody: { required: true, content: [json('newThing', { name: 'new' })] },
    responses: [
      {
        status: '201',
        description: 'The new thing.',
        fixedHeaders: {},
        content: [json('thing', { id: 7, name: 'new' })],
      },
      {
        status: '4XX',
        description: 'Refused.',
        fixedHeaders: {},
        content: [json('problem', { error: 'refused' })],
      },
    ],
    security: toSecurity([['apiKey', 'accessToken', 'signature']]),
  },
  {
    name: 'deleteThing',
    id: 'deleteThing',
    method: 'DELETE',
    path: '/things/{id}',
    parameters: [],
    responses: [{ status: '204', description: 'Deleted.', fixedHeaders: {}, content: [] }],
    security: [],
  },
];

const unstated = [
  question('authorization-form', { raw: '{token}', bearer: 'Bearer {token}' }),
  question('key-encoding', { 'utf-8': 'utf-8', base64: 'base64', hex: 'hex' }),
  question('signed-path', {
    path: '$url.path',
    'path-and-query': '$url.path+query',
    'host-and-path': '$url.host+path',
    'whole-url': '$url',
  }),
  question('signed-separator', {
    none: { text: '' },
    newline: { text: '\n' },
    dot: { text: '.' },
  }),
  question('signature-encoding', { base64: 'base64', base64url: 'base64url' }),
  question('timestamp-format', {
    'iso-8601': 'iso-8601',
    'iso-8601-seconds': 'iso-8601-seconds',
    'unix-seconds': 'unix-seconds',
    'unix-milliseconds': 'unix-milliseconds',
  }),
];

/** The data of a service with signed operations, tokens and open questions. */
export const fixtureData: ServiceData = {
  modelVersion: 2,
  info: { title: 'Fixture service', version: '1' },
  operations,
  notifications: [],
  security: [
    {
      id: 'apiKey',
      type: 'apiKey',
      in: 'header',
      parameterName: 'X-Key',
      credential: 'apiKey',
    },
    {
      id: 'accessToken',
      type: 'apiKey',
      in: 'header',
      parameterName: 'Authorization',
      accessToken: {
        operation: 'issueToken',
        token: '$response.body#/access_token',
        lifetime: '$response.body#/expires_in',
        value: { unstated: 'authorization-form' },
      },
    },
    {
      id: 'signature',
      type: 'apiKey',
      in: 'header',
      parameterName: 'X-Signature',
      credential: 'signingSecret',
      signature: {
        algorithm: 'hmac-sha256',
        key: { encoding: { unstated: 'key-encoding' } },
        over: [
          '$request.header.x-key',
          { unstated: 'signed-separator' },
          '$request.header.x-timestamp',
          { unstated: 'signed-separator' },
          '$request.body',
          { unstated: 'signed-separator' },
          { unstated: 'signed-path' },
        ],
        encoding: { unstated: 'signature-encoding' },
        header: 'X-Signature',
        value: '{signature}',
        timestamp: {
          header: 'X-Timestamp',
          format: { unstated: 'timestamp-format' },
          tolerance: 300,
        },
      },
    },
  ],
  credentials: [
    { name: 'apiKey', form: 'text' },
    { name: 'signingSecret', form: 'key' },
    {
      name: 'clientId',
      form: 'text',
      sentBy: { operation: 'issueToken', in: 'body', name: 'client_id' },
    },
    {
      name: 'clientSecret',
      form: 'text',
      sentBy: { operation: 'issueToken', in: 'body', name: 'client_secret' },
    },
  ],
  servers: { overrides: [], tokenEndpoints: [] },
  samples: {
    bodies: {
      thing: [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
        { id: 3, name: 'three' },
      ],
    },
    payloads: {},
  },
  workflows: [],
};

function question(
  id: string,
  choices: Readonly<Record<string, Json>>,
): Service['unstated'][number] {
  return {
    id,
    optionName: id.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase()),
    question: `Which ${id}?`,
    choices: Object.entries(choices).map(([name, value]) => ({
      name,
      meaning: `It is ${name}.`,
      value,
    })),
  };
}

const checks = Object.entries(fixtureSchemas).map(
  ([name, schema]) => [name, toCheck(schema)] as const,
);
const suffix = ' parameters';

/** The fixture service with its checks. */
export const fixtureService: Service = {
  ...fixtureData,
  unstated,
  checks: new Map(checks),
  parameterChecks: new Map(
    checks
      .filter(([name]) => name.endsWith(suffix))
      .map(([name, check]) => [name.slice(0, -suffix.length), check]),
  ),
};
