import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../generator/json/json.ts';
import { caseNames, golden } from '../../golden/generate-case.ts';
import { addition, namesInBothOrders, namesLostBy } from './kept-names.ts';
import { runsOf } from '../../some.ts';

/** A contract with things whose names are made from others, and that share what they have. */
const small: JsonObject = {
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  paths: {
    '/b': {
      get: {
        operationId: 'getB',
        parameters: [{ name: 'id', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'The order.',
            content: { 'application/json': { schema: { type: 'object', properties: { id: {} } } } },
          },
          404: { $ref: '#/components/responses/Missing' },
        },
      },
    },
  },
  webhooks: Object.fromEntries(
    ['b0', 'b1', 'b2', 'b3', 'order.opened'].map((name) => [
      name,
      {
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { 200: { description: 'Done.' } },
        },
      },
    ]),
  ),
  components: {
    responses: {
      Missing: {
        description: 'There is none.',
        content: { 'application/json': { schema: { type: 'object', properties: { why: {} } } } },
      },
    },
    schemas: {
      'order-item': { type: 'object', properties: { sku: { type: 'string', readOnly: true } } },
      Direction: { type: 'string', enum: ['asc', 'desc', '-1', '1', '12'] },
    },
  },
};

const channels: JsonObject = {
  asyncapi: '3.0.0',
  info: { title: 'Icons', version: '1.0.0' },
  channels: {
    a: { address: '/a', messages: { message: { payload: { type: 'object' } } } },
    b: { address: '/b', messages: { icon: { payload: { type: 'object' } } } },
  },
  operations: {
    sendA: { action: 'send', channel: { $ref: '#/channels/a' } },
    sendB: { action: 'send', channel: { $ref: '#/channels/b' } },
  },
};

/** Path items, callbacks, messages and traits that several places refer to. */
const shared: JsonObject = {
  openapi: '3.1.1',
  info: { title: 'Bells', version: '1.0.0' },
  paths: {
    '/b': { $ref: '#/paths/~1c' },
    '/c': { put: bodyOf('c') },
    '/d': { $ref: '#/components/pathItems/Bell' },
    '/e': { $ref: '#/components/pathItems/Bell' },
    '/f': { post: { responses: {}, callbacks: { a: { $ref: '#/components/callbacks/Rung' } } } },
    '/g': { post: { responses: {}, callbacks: { b: { $ref: '#/components/callbacks/Rung' } } } },
    '/h': {
      post: {
        responses: {},
        callbacks: { c: { '{$url}': { $ref: '#/components/pathItems/Tone' } } },
      },
    },
    '/i': {
      post: {
        responses: {},
        callbacks: { d: { '{$url}': { $ref: '#/components/pathItems/Tone' } } },
      },
    },
  },
  webhooks: {
    one: { $ref: '#/webhooks/two' },
    two: { put: bodyOf('two') },
    three: { $ref: '#/components/pathItems/Alarm' },
    four: { $ref: '#/components/pathItems/Alarm' },
  },
  components: {
    pathItems: {
      Alarm: { post: bodyOf('alarm'), put: bodyOf('changed') },
      Bell: { post: bodyOf('bell') },
      Tone: { post: bodyOf('tone') },
    },
    callbacks: { Rung: { '{$request.body#/url}': { post: bodyOf('rung') } } },
  },
};

const asked: JsonObject = { traits: [{ $ref: '#/components/operationTraits/Asked' }] };

const sharedMessages: JsonObject = {
  asyncapi: '3.0.0',
  info: { title: 'Bells', version: '1.0.0' },
  channels: {
    a: {
      address: '/a',
      messages: {
        rung: { $ref: '#/components/messages/rung' },
        own: { payload: objectOf('own'), traits: [{ $ref: '#/components/messageTraits/Timed' }] },
        other: {
          payload: objectOf('other'),
          traits: [{ $ref: '#/components/messageTraits/Timed' }],
        },
      },
    },
    c: { address: '/c', messages: { first: {}, second: {} } },
    d: { address: '/d', messages: { third: {} } },
    e: { address: '/e', messages: { fourth: {} } },
    b: { address: '/b', messages: { rung: { $ref: '#/components/messages/rung' } } },
  },
  operations: {
    sendA: { action: 'send', channel: { $ref: '#/channels/a' } },
    sendAgain: { action: 'send', channel: { $ref: '#/channels/a' } },
    sendB: { action: 'send', channel: { $ref: '#/channels/b' } },
    sendC: { action: 'send', channel: { $ref: '#/channels/c' }, ...queryOf('c') },
    sendD: { action: 'send', channel: { $ref: '#/channels/d' }, ...asked },
    sendE: { action: 'send', channel: { $ref: '#/channels/e' }, ...asked },
  },
  components: {
    messages: { rung: { payload: objectOf('rung'), headers: objectOf('tone') } },
    messageTraits: { Timed: { headers: objectOf('at') } },
    operationTraits: { Asked: queryOf('asked') },
  },
};

/** Operations that issue tokens for the same or other input, keys, and schemes with names like these. */
const secured: JsonObject = {
  openapi: '3.1.1',
  info: { title: 'Keys', version: '1.0.0' },
  paths: Object.fromEntries([
    ...['client_id', 'client_id', 'client-id', 'seal'].map((input, index) => [
      `/tokens${index}`,
      { post: { operationId: `issue${index}`, security: [], ...bodyOf(input) } },
    ]),
    ...['apiKey', 'client-secret', 'signed', 'token0', 'token1', 'token2', 'token3'].map((name) => [
      `/${name}`,
      { get: { operationId: `get-${name}`, security: [{ [name]: [] }], responses: {} } },
    ]),
  ]),
  components: {
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
      'client-secret': { type: 'http', scheme: 'bearer' },
      signed: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Seal',
        'x-signature': {
          algorithm: 'hmac-sha256',
          key: { credential: 'api-seal', encoding: 'utf-8' },
          over: ['$request.body'],
          encoding: 'hex',
        },
      },
      ...Object.fromEntries(
        [0, 1, 2, 3].map((index) => [
          `token${index}`,
          {
            type: 'http',
            scheme: 'bearer',
            'x-access-token': {
              operation: `issue${index}`,
              token: '$response.body#/token',
              value: 'Bearer {token}',
            },
          },
        ]),
      ),
    },
  },
};

function objectOf(member: string): JsonObject {
  return { type: 'object', properties: { [member]: { type: 'string' } } };
}

function queryOf(member: string): JsonObject {
  return { bindings: { http: { method: 'GET', query: objectOf(member) } } };
}

function bodyOf(member: string): JsonObject {
  return {
    requestBody: { content: { 'application/json': { schema: objectOf(member) } } },
    responses: { 200: { description: 'Done.' } },
  };
}

async function readCorpus(name: string): Promise<JsonObject> {
  const url = new URL(`../../corpus/contracts/${name}`, import.meta.url);
  return parse(await readFile(url, 'utf8')) as JsonObject;
}

async function readGolden(name: string): Promise<JsonObject> {
  for (const file of ['openapi.yaml', 'asyncapi.yaml']) {
    const text = await readFile(join(golden, name, file), 'utf8').catch(() => undefined);
    if (text !== undefined) return parse(text) as JsonObject;
  }
  throw new Error(`The case ${name} has no document.`);
}

const documents: readonly (readonly [string, () => JsonObject | Promise<JsonObject>])[] = [
  ['a contract with shared and inline schemas', () => small],
  ['channels with messages of one name', () => channels],
  ['a contract with shared path items and callbacks', () => shared],
  ['channels with shared messages and traits', () => sharedMessages],
  ['a contract with credentials', () => secured],
  ['two webhooks with one path item', () => readCorpus('alarms.yaml')],
  ...caseNames.map((name) => [`the golden contract ${name}`, () => readGolden(name)] as const),
];

test.each(documents)('the names of %s do not depend on the order', async (_, read) => {
  const [names, opposite] = await namesInBothOrders(await read());
  expect(names.length).toBeGreaterThan(0);
  expect(opposite).toEqual(names);
});

test.each(documents)('%s keeps its names, whatever is added', async (_, read) => {
  const document = await read();
  await fc.assert(
    fc.asyncProperty(fc.array(addition, { minLength: 1, maxLength: 3 }), async (list) => {
      expect(await namesLostBy(document, list)).toEqual([]);
    }),
    { numRuns: runsOf(15) },
  );
});
