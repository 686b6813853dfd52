import { expect, test } from 'vitest';
import { readOpenapi } from '../../targets/client/emit-client.ts';

const document = {
  openapi: '3.2.0',
  info: { title: 'Pets', version: '1.0.0', 'x-countersign': 1 },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [
          { name: 'session', in: 'cookie', style: 'cookie', schema: { type: 'string' } },
          { name: 'fixed', in: 'cookie', style: 'cookie', explode: false, schema: {} },
        ],
        responses: {
          '200': {
            summary: 'All pets.',
            content: { 'application/json': { $ref: '#/components/mediaTypes/Pet' } },
          },
          default: {},
        },
      },
    },
  },
  components: {
    mediaTypes: {
      Pet: { schema: { type: 'object', properties: { name: { type: 'string' } } } },
    },
  },
};

test('OpenAPI 3.2 may have cookie styles, components of media types and responses without description', async () => {
  const { operations, schemas } = await readOpenapi(document);
  const [operation] = operations;
  expect(operation?.parameters).toMatchObject([
    { name: 'session', style: 'cookie', explode: true },
    { name: 'fixed', style: 'cookie', explode: false },
  ]);
  expect(operation?.responses.map(({ status }) => status)).toEqual(['200', 'default']);
  expect(schemas.map(({ definition }) => definition)).toMatchObject([
    { properties: { name: { type: 'string' } } },
  ]);
});

test.each([
  ['3.1.2', /style/u],
  ['3.0.4', /style/u],
])('%s has none of these', async (openapi, message) => {
  await expect(readOpenapi({ ...document, openapi })).rejects.toThrow(message);
});

test('a component of media types is checked', async () => {
  const mediaTypes = { Pet: { schema: { type: 'objct' } } };
  await expect(readOpenapi({ ...document, components: { mediaTypes } })).rejects.toThrow(/type/u);
});
