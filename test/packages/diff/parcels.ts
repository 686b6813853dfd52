import type { Contract } from '../../../generator/contract/contract.ts';
import type { ContractChange } from '../../../packages/diff/src/change.ts';
import { diffContracts } from '../../../packages/diff/src/diff.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';

/** A document that a test changes in place. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test reaches anywhere into a document it wrote itself
export type Draft = any;

/** How one contract becomes another: each function changes one file. */
export interface Mutation {
  /** The schema that is sent, answered and notified. */
  readonly thing?: (schema: Draft) => void;
  readonly openapi?: (document: Draft) => void;
  readonly asyncapi?: (document: Draft) => void;
}

const thing = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', maxLength: 10 },
    weight: { type: 'number', minimum: 0, multipleOf: 0.5 },
    state: { type: 'string', enum: ['new', 'sent'], 'x-enum-varnames': ['New', 'Sent'] },
    phase: { type: 'integer', 'x-extensible-enum': [1, 2], 'x-enum-varnames': ['One', 'Two'] },
    note: { type: 'string', description: 'A note.', default: 'none', pattern: '^[a-z]*$' },
    size: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    version: { const: 1 },
    parts: { type: 'array', items: { type: 'string' }, maxItems: 5 },
    sealed: { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
  },
};

const openapi = {
  openapi: '3.1.1',
  info: { title: 'Parcels', version: '1.0.0', 'x-countersign': 1 },
  servers: [{ url: 'https://parcels.example' }],
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'putThing',
        description: 'Puts a thing.',
        security: [{ key: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'x-mode', in: 'header', required: true, schema: { type: 'string' } },
          {
            name: 'x-request-id',
            in: 'header',
            required: true,
            schema: { type: 'string' },
            'x-every-request': { value: 'uuid' },
          },
        ],
        requestBody: {
          content: { 'application/json': { schema: { $ref: './schemas/Thing.yaml' } } },
        },
        responses: {
          200: {
            description: 'Done.',
            headers: { etag: { required: true, schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: './schemas/Thing.yaml' } } },
          },
          404: { description: 'Missing.' },
        },
      },
    },
    '/token': {
      post: {
        operationId: 'issueToken',
        responses: {
          200: {
            description: 'A token.',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { token: { type: 'string' } } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: { Unused: { type: 'object', properties: { a: { type: 'string' } } } },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'x-key', description: 'The key.' },
      bearer: {
        type: 'http',
        scheme: 'bearer',
        'x-access-token': {
          operation: 'issueToken',
          token: '$response.body#/token',
          value: 'Bearer {token}',
        },
      },
    },
  },
};

const signature = {
  algorithm: 'hmac-sha256',
  key: { credential: 'hookSecret', encoding: { unstated: 'key-encoding' } },
  over: ['$request.header.x-time', '$request.body'],
  encoding: 'hex',
  timestamp: { header: 'x-time', format: 'unix-seconds', tolerance: 300 },
};

const asyncapi = {
  asyncapi: '3.0.0',
  info: { title: 'Parcels', version: '1.0.0', 'x-countersign': 1 },
  defaultContentType: 'application/json',
  channels: {
    moved: {
      address: '/moved',
      messages: { moved: { $ref: '#/components/messages/moved' } },
    },
    lost: { messages: { lost: { $ref: '#/components/messages/lost' } } },
  },
  operations: {
    sendMoved: {
      action: 'send',
      channel: { $ref: '#/channels/moved' },
      messages: [{ $ref: '#/channels/moved/messages/moved' }],
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      security: [{ $ref: '#/components/securitySchemes/hook' }],
    },
    sendLost: {
      action: 'send',
      channel: { $ref: '#/channels/lost' },
      messages: [{ $ref: '#/channels/lost/messages/lost' }],
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      security: [{ $ref: '#/components/securitySchemes/hook' }],
    },
  },
  components: {
    messages: {
      moved: {
        headers: {
          type: 'object',
          required: ['x-event'],
          properties: {
            'x-event': { type: 'string' },
            'x-hint': { type: 'string' },
            'x-time': { type: 'string' },
          },
        },
        payload: { $ref: './schemas/Thing.yaml' },
        'x-identified-by': { '$request.body#/id': {} },
        'x-dedupe-by': ['$request.body#/id'],
        examples: [{ name: 'plain', payload: { id: 'T1' } }],
      },
      lost: {
        headers: { type: 'object', properties: { 'x-time': { type: 'string' } } },
        payload: {
          type: 'object',
          required: ['lost'],
          properties: { lost: { const: true } },
        },
        'x-identified-by': { '$request.body#/lost': {}, '$request.body#/id': false },
      },
    },
    securitySchemes: {
      hook: { type: 'httpApiKey', name: 'x-sign', in: 'header', 'x-signature': signature },
      spare: { type: 'httpApiKey', name: 'x-spare', in: 'header' },
    },
  },
  'x-unstated': {
    'key-encoding': {
      source: '1',
      question: 'How is the key written?',
      choices: { 'utf-8': 'As it is.', hex: 'In hexadecimal.', base64: 'In Base64.' },
      assumed: 'utf-8',
    },
    retries: { source: '2', question: 'Are deliveries repeated?' },
  },
};

/** Changes the contract of this file in two ways and tells what differs between the two. */
export async function diffOf(
  after: Mutation,
  before?: Mutation,
): Promise<readonly ContractChange[]> {
  const base = before === undefined ? await (unchanged ??= lowered({})) : await lowered(before);
  return diffContracts({ base, head: await lowered(after) });
}

let unchanged: Promise<Contract> | undefined;

/** The files of the contract, after a mutation. */
export function filesOf(mutation: Mutation = {}): Readonly<Record<string, string>> {
  const textOf = (document: object, change?: (draft: Draft) => void): string => {
    const draft: Draft = structuredClone(document);
    change?.(draft);
    return JSON.stringify(draft, null, 2);
  };
  return {
    'openapi.yaml': textOf(openapi, mutation.openapi),
    'asyncapi.yaml': textOf(asyncapi, mutation.asyncapi),
    'schemas/Thing.yaml': textOf(thing, mutation.thing),
  };
}

async function lowered(mutation: Mutation): Promise<Contract> {
  const { contract, diagnostics, documents } = await lowerFiles(filesOf(mutation));
  const errors = [...documents.diagnostics, ...diagnostics].filter(
    ({ severity }) => severity === 'error',
  );
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return contract;
}
