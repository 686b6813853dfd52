import { expect, it } from 'vitest';
import { type JsonObject, toObject } from '../../../generator/json/json.ts';
import { lowerFiles } from './lower-files.ts';

const info = { title: 'Parcels', version: '1.0.0', 'x-countersign': 1 };
const key = { type: 'apiKey', in: 'header', name: 'X-Key' };

const openapi = (more: JsonObject = {}): JsonObject => ({
  openapi: '3.1.1',
  info,
  security: [{ key: [] }],
  paths: {
    '/a': {
      description: 'No operation.',
      get: { operationId: 'a', responses: { 200: { description: 'Done.' } } },
      post: { operationId: 'b', security: [], responses: { 200: { description: 'Done.' } } },
    },
  },
  components: { securitySchemes: { key } },
  ...more,
});

const asyncapi = (
  message: JsonObject = {},
  more: JsonObject = {},
  channel: JsonObject = {},
): JsonObject => ({
  asyncapi: '3.0.0',
  info,
  channels: {
    parcels: { ...channel, messages: { sent: { payload: { type: 'object' }, ...message } } },
  },
  operations: { send: { action: 'send', channel: { $ref: '#/channels/parcels' } } },
  ...more,
});

/** Returns the published documents of a contract as JSON. */
async function publish(
  documents: Readonly<Record<'openapi' | 'asyncapi', JsonObject | undefined>>,
): Promise<{ readonly openapi: JsonObject; readonly asyncapi: JsonObject }> {
  const texts = Object.entries(documents).flatMap(([name, document]) =>
    document === undefined ? [] : [[`${name}.yaml`, JSON.stringify(document)] as const],
  );
  const { contract, diagnostics } = await lowerFiles(Object.fromEntries(texts));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { documents: published } = contract;
  return { openapi: toObject(published.openapi), asyncapi: toObject(published.asyncapi) };
}

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, member) => Object(inner)[member], value);

it('a document without notifications of another one is published as it is', async () => {
  const document = openapi();
  expect((await publish({ openapi: document, asyncapi: undefined })).openapi).toEqual(document);
});

it('the security of the document applies to its operations alone, not to webhooks', async () => {
  const published = (await publish({ openapi: openapi(), asyncapi: asyncapi() })).openapi;
  expect(published).not.toHaveProperty('security');
  expect(at(published, 'paths', '/a')).toMatchObject({
    description: 'No operation.',
    get: { security: [{ key: [] }] },
    post: { security: [] },
  });
  expect(at(published, 'webhooks', 'sent', 'post')).toBeDefined();
  expect(at(published, 'webhooks', 'sent', 'post', 'security')).toBeUndefined();
});

it('a document of OpenAPI 3.0 describes no webhooks, and keeps its security', async () => {
  const document = openapi({ openapi: '3.0.4' });
  const { openapi: published } = await publish({ openapi: document, asyncapi: asyncapi() });
  expect(published).not.toHaveProperty('webhooks');
  expect(published['security']).toEqual([{ key: [] }]);
});

it('a webhook has what the message states, and where it is from', async () => {
  const message = {
    summary: 'Sent.',
    description: 'A parcel was sent.',
    tags: [{ name: 'parcels' }],
    headers: {
      type: 'object',
      required: ['X-Id'],
      properties: { 'X-Id': { type: 'string' }, 'X-Try': { type: 'integer' } },
    },
    examples: [{ name: 'one', summary: 'One.', payload: { id: 1 } }],
    'x-note': 'A note.',
  };
  const document = asyncapi(message, {}, { address: '/sent' });
  const { openapi: published } = await publish({ openapi: openapi(), asyncapi: document });
  const webhook = at(published, 'webhooks', 'sent', 'post');
  expect(webhook).toMatchObject({
    operationId: 'sent',
    summary: 'Sent.',
    tags: ['parcels'],
    parameters: [
      { name: 'X-Id', in: 'header', required: true, schema: { type: 'string' } },
      { name: 'X-Try', in: 'header', schema: { type: 'integer' } },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/SentPayload' },
          examples: { one: { summary: 'One.', value: { id: 1 } } },
        },
      },
    },
    responses: {},
    'x-note': 'A note.',
  });
  expect(at(webhook, 'parameters', '1')).not.toHaveProperty('required');
  expect(at(webhook, 'description')).toBe(
    [
      'A parcel was sent.',
      'Label: `/sent`.',
      'The contract states no method; `post` stands here because a webhook needs one.',
    ].join('\n\n'),
  );
  expect(at(published, 'components', 'schemas', 'SentPayload')).toBeDefined();
});

it('a schema of both documents is that of the OpenAPI document', async () => {
  const parcelSchema = { type: 'object', description: 'Of OpenAPI.' };
  const { openapi: published } = await publish({
    openapi: openapi({
      components: { securitySchemes: { key }, schemas: { Parcel: parcelSchema } },
    }),
    asyncapi: asyncapi({}, { components: { schemas: { Sent: { type: 'string' } } } }),
  });
  expect(at(published, 'components', 'schemas', 'Parcel')).toEqual(parcelSchema);
  expect(at(published, 'components', 'schemas', 'Sent')).toEqual({ type: 'string' });
});

it('conditions that the webhooks refer to are published with them', async () => {
  const conditions = { isSent: [{ '$request.body#/sent': {} }] };
  const { openapi: published } = await publish({
    openapi: openapi(),
    asyncapi: asyncapi({}, { components: { 'x-conditions': conditions } }),
  });
  expect(at(published, 'components', 'x-conditions')).toEqual(conditions);
});

it('the payload in the document itself refers to all wire formats', async () => {
  const parcel = {
    type: 'object',
    properties: { id: { type: 'string' } },
    'x-variants': { list: { when: { '$request.body#/ID': {} }, as: '', rename: { ID: 'id' } } },
  };
  const payload = { $ref: '#/components/schemas/Parcel' };
  const document = openapi({
    webhooks: {
      'a/b': {
        post: {
          operationId: 'parcel',
          requestBody: { content: { 'application/json': { schema: payload } } },
          responses: { 200: { description: 'Done.' } },
        },
      },
    },
    components: { securitySchemes: { key }, schemas: { Parcel: parcel } },
  });
  const { openapi: published } = await publish({ openapi: document, asyncapi: undefined });
  const content = at(published, 'webhooks', 'a/b', 'post', 'requestBody', 'content');
  expect(content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/ParcelWire' } },
  });
  expect(at(published, 'components', 'schemas', 'ParcelWire')).toBeDefined();
});
