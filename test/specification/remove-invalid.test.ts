import { expect, test } from 'vitest';
import { removeInvalid } from '../../generator/specification/remove-invalid.ts';

test('removes members and items that OpenAPI does not allow, and references to nothing', () => {
  const document = {
    openapi: '3.1.1',
    info: { title: 'Books', version: '1', contact: 'odd', 'x-own': 'kept', unknown: 'kept' },
    servers: ['odd', { url: 'https://books.example' }],
    paths: {
      '/books': {
        get: {
          operationId: ['odd'],
          parameters: [null, { name: 'id', in: 'query', schema: 'odd' }],
          responses: {
            200: { description: 'Done.', content: { 'application/json': { schema: true } } },
            404: 'odd',
            type: 'odd',
            'x-own': 'kept',
          },
        },
      },
    },
    components: {
      schemas: {
        Book: {
          type: ['string', 'null'],
          properties: { title: { type: 'string' }, by: 7 },
          allOf: [{ $ref: '#/components/schemas/Odd' }, 'odd'],
          enum: 'odd',
          const: 'kept',
        },
        Odd: 7,
      },
    },
  };
  removeInvalid(document);
  expect(document).toEqual({
    openapi: '3.1.1',
    info: { title: 'Books', version: '1', 'x-own': 'kept', unknown: 'kept' },
    servers: [{ url: 'https://books.example' }],
    paths: {
      '/books': {
        get: {
          parameters: [{ name: 'id', in: 'query' }],
          responses: {
            200: { description: 'Done.', content: { 'application/json': { schema: true } } },
            'x-own': 'kept',
          },
        },
      },
    },
    components: {
      schemas: {
        Book: {
          type: ['string', 'null'],
          properties: { title: { type: 'string' } },
          allOf: [{}],
          const: 'kept',
        },
      },
    },
  });
});
