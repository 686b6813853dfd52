import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../generator/json/json.ts';
import { caseNames, golden } from '../../golden/generate-case.ts';
import { addition, namesLostBy } from './kept-names.ts';

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

async function readGolden(name: string): Promise<JsonObject> {
  for (const file of ['openapi.yaml', 'asyncapi.yaml']) {
    const text = await readFile(join(golden, name, file), 'utf8').catch(() => undefined);
    if (text !== undefined) return parse(text) as JsonObject;
  }
  throw new Error(`The case ${name} has no document.`);
}

test.each<readonly [string, () => JsonObject | Promise<JsonObject>]>([
  ['a contract with shared and inline schemas', () => small],
  ['channels with messages of one name', () => channels],
  ...caseNames.map((name) => [`the golden contract ${name}`, () => readGolden(name)] as const),
])('%s keeps its names, whatever is added', async (_, read) => {
  const document = await read();
  await fc.assert(
    fc.asyncProperty(fc.array(addition, { minLength: 1, maxLength: 3 }), async (list) => {
      expect(await namesLostBy(document, list)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
