import { expect, test } from 'vitest';
import type { JsonObject } from '../../../generator/json/json.ts';
import { readOpenapi } from '../../targets/client/emit-client.ts';

const ok: JsonObject = { 200: { description: 'Taken.' } };

/** An operation that is called back, or the call itself. */
function call(type: string, more: JsonObject = {}): JsonObject {
  const schema = { type: 'object', properties: { type: { const: type } }, required: ['type'] };
  const requestBody = { content: { 'application/json': { schema } } };
  return { requestBody, responses: ok, ...more };
}

function document(version: string, more: JsonObject): JsonObject {
  return { openapi: version, info: { title: 'Prints', version: '1.0.0' }, paths: {}, ...more };
}

test('each call of a callback is a notification, named after the callback and labelled by what it adds to the URL', async () => {
  const contract = await readOpenapi(
    document('3.0.3', {
      paths: {
        '/prints': {
          post: {
            operationId: 'order',
            responses: ok,
            callbacks: {
              printed: { '{$request.body#/url}': { post: call('printed') } },
              state: {
                '{$request.body#/url}/a': {
                  post: call('a'),
                  put: call('b', { operationId: 'stateSet' }),
                },
              },
            },
          },
        },
      },
    }),
  );
  expect(
    contract.notifications.map(({ id, name, method, label }) => [id, name, method, label]),
  ).toEqual([
    ['printed', 'printed', 'POST', undefined],
    ['state', 'state', 'POST', { method: 'POST', path: '/a', parameters: [] }],
    ['put state', 'putState', 'PUT', { method: 'PUT', path: '/a', parameters: [] }],
  ]);
  expect(contract.operations.map(({ id }) => id)).toEqual(['order']);
});

test('a callback that several operations refer to is one notification, with its own name', async () => {
  const callbacksOf = (name: string): JsonObject => ({
    [name]: { $ref: '#/components/callbacks/Printed' },
  });
  const contract = await readOpenapi(
    document('3.1.0', {
      paths: {
        '/a': { post: { operationId: 'a', responses: ok, callbacks: callbacksOf('done') } },
        '/b': { post: { operationId: 'b', responses: ok, callbacks: callbacksOf('printed') } },
      },
      components: { callbacks: { Printed: { '{$request.body#/url}': { post: call('printed') } } } },
    }),
  );
  expect(contract.notifications.map(({ id, name }) => [id, name])).toEqual([
    ['Printed', 'printed'],
  ]);
});

test('callbacks of one name are distinguished by the operations that they belong to', async () => {
  const callbacksWith = (type: string): JsonObject => ({
    done: { '{$request.body#/url}': { post: call(type) } },
  });
  const contract = await readOpenapi(
    document('3.1.0', {
      paths: {
        '/a': { post: { operationId: 'a', responses: ok, callbacks: callbacksWith('a') } },
        '/b': { post: { operationId: 'b', responses: ok, callbacks: callbacksWith('b') } },
      },
    }),
  );
  expect(contract.notifications.map(({ id }) => id)).toEqual(['a done', 'b done']);
});

test.each([
  ['3.0.3', 'x-webhooks'],
  ['3.1.0', 'webhooks'],
])(
  'what OpenAPI %s has below %s is a notification, without an operationId too',
  async (version, member) => {
    const webhooks = { printed: { post: call('printed') }, jammed: { post: call('jammed') } };
    const contract = await readOpenapi(document(version, { [member]: webhooks }));
    expect(contract.notifications.map(({ id, payload }) => [id, payload])).toEqual([
      ['printed', 'PrintedPayload'],
      ['jammed', 'JammedPayload'],
    ]);
  },
);

test('callbacks that add a path to one URL have that path as their label, and a route each', async () => {
  // The same body, so that only the path distinguishes them.
  const callback = (suffix: string): JsonObject => ({
    [`{$request.body#/url}${suffix}`]: { post: call('same') },
  });
  const contract = await readOpenapi(
    document('3.0.3', {
      paths: {
        '/webhook': {
          put: {
            operationId: 'setWebhook',
            responses: ok,
            callbacks: {
              paid: callback('/pix'),
              recurring: callback('/rec'),
              charged: callback('/cob/r/'),
              other: callback('?kind=other'),
              named: callback('/{$request.body#/name}'),
            },
          },
        },
      },
    }),
  );
  expect(contract.notifications.map(({ name, label }) => [name, label?.path])).toEqual([
    ['paid', '/pix'],
    ['recurring', '/rec'],
    ['charged', '/cob/r'],
    ['other', undefined],
    ['named', undefined],
  ]);
  const { routes } = contract.recognition;
  expect(routes).toEqual([
    { segments: ['cob', 'r'], kinds: [{ method: 'POST', kinds: ['charged'] }] },
    { segments: ['pix'], kinds: [{ method: 'POST', kinds: ['paid'] }] },
    { segments: ['rec'], kinds: [{ method: 'POST', kinds: ['recurring'] }] },
  ]);
});
