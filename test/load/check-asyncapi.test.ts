import { expect, test } from 'vitest';
import { checkAsyncapi, isSurelyValid } from '../../generator/load/tools/check-asyncapi.ts';
import type { JsonObject } from '../../generator/json.ts';

const info = { title: 'Parcels', version: '1.0.0' };

const sound: JsonObject = {
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

test.each(['3.0.0', '3.1.0'] as const)(
  'a sound document of %s needs no compiled schema',
  async (version) => {
    const document = { ...sound, asyncapi: version };
    expect(await isSurelyValid(version, document)).toBe(true);
    expect(await checkAsyncapi(document, version)).toEqual([]);
  },
);

test.each<[string, JsonObject, readonly string[]]>([
  ['without information', { ...sound, info: undefined }, []],
  [
    'with a version that is no text',
    { ...sound, info: { ...info, version: 1 } },
    ['info', 'version'],
  ],
  [
    'with an action that there is not',
    {
      ...sound,
      operations: { tell: { action: 'shout', channel: { $ref: '#/channels/parcels' } } },
    },
    ['operations', 'tell', 'action'],
  ],
])('a document %s is told what is wrong by the compiled one', async (_, document, members) => {
  const json = JSON.parse(JSON.stringify(document)) as JsonObject;
  expect(await isSurelyValid('3.0.0', json)).toBe(false);
  const problems = await checkAsyncapi(json, '3.0.0');
  expect(problems.map((problem) => problem.members)).toContainEqual(members);
});
