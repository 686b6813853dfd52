import { describe, expect, test } from 'vitest';
import { readAsyncapi } from '../../targets/client/emit-client.ts';
import { checkAsyncapi } from '../../../generator/load/validate/check-asyncapi.ts';
import type { JsonObject } from '../../../generator/json/json.ts';

const info = { title: 'Parcels', version: '1.0.0' };

const validDocument: JsonObject = {
  asyncapi: '3.0.0',
  info,
  channels: {
    parcels: {
      address: '/parcels/{id}',
      parameters: { id: {} },
      messages: { moved: { payload: { type: 'object', properties: { at: { type: 'string' } } } } },
    },
  },
  operations: {
    tell: { action: 'send', channel: { $ref: '#/channels/parcels' }, 'x-source': '1' },
  },
};

test.each(['3.0.0', '3.1.0'])('a valid document of %s has no problems', (version) => {
  expect(checkAsyncapi({ ...validDocument, asyncapi: version }, version)).toEqual([]);
});

test.each<[string, JsonObject, readonly string[]]>([
  ['without information', { ...validDocument, info: undefined }, []],
  [
    'with a version that is not a text',
    { ...validDocument, info: { ...info, version: 1 } },
    ['info', 'version'],
  ],
  [
    'with an unknown action',
    {
      ...validDocument,
      operations: { tell: { action: 'shout', channel: { $ref: '#/channels/parcels' } } },
    },
    ['operations', 'tell', 'action'],
  ],
])('reports a document %s at its place', (_, document, members) => {
  const json = JSON.parse(JSON.stringify(document)) as JsonObject;
  const problems = checkAsyncapi(json, '3.0.0');
  expect(problems.map((problem) => problem.members)).toContainEqual(members);
});

const versions2 = ['2.0.0', '2.1.0', '2.2.0', '2.3.0', '2.4.0', '2.5.0', '2.6.0'];

test.each(versions2)(
  'a document of %s may refer to the parameters of a channel',
  async (version) => {
    const document = {
      asyncapi: version,
      info,
      channels: {
        '/lamps/{id}': {
          parameters: { id: { $ref: '#/components/parameters/id' } },
          subscribe: { message: { payload: { type: 'object' } } },
        },
      },
      components: { parameters: { id: { description: 'The lamp.', schema: { type: 'string' } } } },
    };
    expect(checkAsyncapi(document, version)).toEqual([]);
    const { notifications } = await readAsyncapi(document);
    expect(notifications[0]?.label?.parameters.map(({ name }) => name)).toEqual(['id']);
  },
);

test('a parameter of AsyncAPI 2 is checked as before', () => {
  const parameters = { id: { schema: { type: 'string' }, nme: 'a' } };
  const document = { asyncapi: '2.4.0', info, channels: { '/{id}': { parameters } } };
  const problems = checkAsyncapi(document, '2.4.0');
  expect(problems.map(({ members }) => members.join('/'))).toEqual([
    'channels//{id}/parameters/id/nme',
  ]);
});

describe('a payload in the format of OpenAPI', () => {
  const pet = {
    type: 'object',
    required: ['kind'],
    discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } },
    properties: {
      kind: { type: 'string', nullable: true },
      age: { type: 'number', minimum: 0, exclusiveMinimum: true },
    },
  };
  const modern = { type: 'object', properties: { pair: { type: 'array', prefixItems: [{}] } } };
  const format = 'application/vnd.oai.openapi';

  test.each([
    [`${format};version=3.0.0`, pet],
    [`${format}+json;version=3.0.0`, pet],
    [`${format}+yaml;version=3.0.3`, pet],
    [`${format};version=3.1.0`, modern],
    [`${format}+json; version=3.1.0`, modern],
  ])('%s may have its keywords', async (schemaFormat, schema) => {
    const asyncapi2 = {
      asyncapi: '2.6.0',
      info,
      channels: { '/pets': { subscribe: { message: { schemaFormat, payload: schema } } } },
    };
    const asyncapi3 = {
      asyncapi: '3.0.0',
      info: { ...info, 'x-countersign': 1 },
      channels: {
        pets: { address: '/pets', messages: { pet: { payload: { schemaFormat, schema } } } },
      },
      operations: { tell: { action: 'send', channel: { $ref: '#/channels/pets' } } },
    };
    const contracts = await Promise.all([asyncapi2, asyncapi3].map(readAsyncapi));
    for (const { schemas } of contracts) {
      expect(schemas[0]?.definition).toMatchObject(
        schema === pet
          ? {
              properties: {
                kind: { type: ['string', 'null'] },
                age: { type: 'number', exclusiveMinimum: 0 },
              },
            }
          : modern,
      );
    }
  });

  test('is checked where it has other mistakes', async () => {
    const schema = { type: 'object', discriminator: 1, propertis: {} };
    const document = {
      asyncapi: '3.0.0',
      info: { ...info, 'x-countersign': 1 },
      channels: {
        pets: {
          messages: { pet: { payload: { schemaFormat: `${format};version=3.0.0`, schema } } },
        },
      },
    };
    await expect(readAsyncapi(document)).rejects.toThrow(/discriminator[^]*propertis/u);
  });
});
