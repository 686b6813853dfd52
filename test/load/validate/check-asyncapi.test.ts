import { expect, test } from 'vitest';
import { checkAsyncapi } from '../../../generator/load/validate/check-asyncapi.ts';
import type { JsonObject } from '../../../generator/json/json.ts';

const info = { title: 'Parcels', version: '1.0.0' };

const valid: JsonObject = {
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
  expect(checkAsyncapi({ ...valid, asyncapi: version }, version)).toEqual([]);
});

test.each<[string, JsonObject, readonly string[]]>([
  ['without information', { ...valid, info: undefined }, []],
  [
    'with a version that is no text',
    { ...valid, info: { ...info, version: 1 } },
    ['info', 'version'],
  ],
  [
    'with an unknown action',
    {
      ...valid,
      operations: { tell: { action: 'shout', channel: { $ref: '#/channels/parcels' } } },
    },
    ['operations', 'tell', 'action'],
  ],
])('reports a document %s at its place', (_, document, members) => {
  const json = JSON.parse(JSON.stringify(document)) as JsonObject;
  const problems = checkAsyncapi(json, '3.0.0');
  expect(problems.map((problem) => problem.members)).toContainEqual(members);
});
