import { expect, test } from 'vitest';
import { callsOf } from '../../../generator/contract/calls.ts';
import { exampleCall } from '../../../generator/targets/printing/call-example.ts';
import { readOpenapi } from '../client/emit-client.ts';

const answers = { 200: { description: 'Done.' } };

/** Returns the call that is shown of a document with some operations, as text. */
async function shown(paths: object, schemas: object = {}): Promise<readonly unknown[]> {
  const contract = await readOpenapi({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    servers: [{ url: 'https://shop.example' }],
    paths,
    components: { schemas },
  });
  const example = exampleCall(contract, callsOf(contract));
  return [example?.call.name, example?.input?.text, example?.variables];
}

const pay = (schema: object, more: object = {}): object => ({
  post: {
    operationId: 'pay',
    requestBody: { required: true, content: { 'application/json': { schema, ...more } } },
    responses: answers,
  },
});

test('a call with a body and declared failures is shown before a list and a deprecated call', async () => {
  const object = {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'integer', example: 5 } },
  };
  const { post } = pay(object) as { readonly post: object };
  const declined = { ...answers, 402: { description: 'Declined.' } };
  const paths = {
    '/old': { post: { ...post, operationId: 'payOld', deprecated: true, responses: declined } },
    '/list': { get: { operationId: 'list', responses: declined } },
    '/plain': { post: { ...post, operationId: 'payPlain' } },
    '/pay': { post: { ...post, responses: declined } },
  };
  expect(await shown(paths)).toEqual(['pay', '{ body: { amount: 5 } }', []]);
});

test('the input has what is required: examples, listed values, and variables where there is none', async () => {
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Base' },
      {
        type: 'object',
        required: ['payer', 'items', 'currency', 'id'],
        properties: {
          id: { type: 'string', readOnly: true },
          currency: { enum: ['BRL', 'EUR'] },
          payer: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          items: {
            type: 'array',
            items: {
              type: 'object',
              required: ['count'],
              properties: { count: { type: 'integer' } },
            },
          },
          note: { type: 'string' },
        },
      },
    ],
  };
  const Base = { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } };
  const example = { amount: 19.9, note: 'not required', payer: { name: 'Ana', age: 4 } };
  expect(await shown({ '/pay': pay(schema, { example }) }, { Base })).toEqual([
    'pay',
    '{ body: { payer: { name: "Ana" }, items: [{ count: Number(process.env["API_SHOP_COUNT"] ?? \'\') }], currency: "BRL", amount: 19.9 } }',
    ['API_SHOP_COUNT'],
  ]);
});

test('a call whose input has a choice that no example decides gives way to one that can be written', async () => {
  const choice = { oneOf: [{ type: 'object', properties: {} }, { type: 'string' }] };
  const paths = {
    '/pay': pay(choice),
    '/payments/{id}': {
      get: {
        operationId: 'read',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: answers,
      },
    },
  };
  expect(await shown(paths)).toEqual([
    'read',
    '{ path: { id: process.env["API_SHOP_ID"] ?? \'\' } }',
    ['API_SHOP_ID'],
  ]);
  expect(await shown({ '/pay': pay(choice) })).toEqual([undefined, undefined, undefined]);
});

test('a schema that contains itself without an end is not written', async () => {
  const Node = {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/Node' } },
  };
  const [name] = await shown({ '/pay': pay({ $ref: '#/components/schemas/Node' }) }, { Node });
  expect(name).toBeUndefined();
});
