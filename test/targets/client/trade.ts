/** An OpenAPI document of another trade with every style, kind of body, kind of response and scheme. */
const array = { type: 'array', items: { type: 'string' } };
const object = { type: 'object', additionalProperties: { type: 'integer' } };
const anything = { type: ['string', 'array', 'object'] };
const ok = { 200: { description: 'Done.' } };
const path = (name: string, more: object): object => ({
  name,
  in: 'path',
  required: true,
  schema: anything,
  ...more,
});
const query = (name: string, more: object): object => ({
  name,
  in: 'query',
  schema: anything,
  ...more,
});
const both = [true, false] as const;
const word = (explode: boolean): string => (explode ? 'Exploded' : '');

const paths: Record<string, object> = {};
for (const style of ['simple', 'label', 'matrix']) {
  for (const explode of both) {
    paths[`/${style}/${explode}/{color}`] = {
      get: {
        operationId: `path ${style} ${word(explode)}`,
        parameters: [path('color', { style, explode })],
        responses: ok,
      },
    };
  }
}
for (const style of ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']) {
  for (const explode of both) {
    paths[`/query/${style}/${explode}`] = {
      get: {
        operationId: `query ${style} ${word(explode)}`,
        parameters: [query('color', { style, explode })],
        responses: ok,
      },
    };
  }
}
for (const explode of both) {
  paths[`/others/${explode}`] = {
    get: {
      operationId: `others ${word(explode)}`,
      parameters: [
        { name: 'X-Color', in: 'header', explode, schema: anything },
        { name: 'color', in: 'cookie', explode, schema: anything },
      ],
      responses: ok,
    },
  };
}
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

export const trade: object = {
  openapi: '3.1.1',
  info: { title: 'Harbour', version: '1.0.0' },
  servers: [{ url: 'https://harbour.example/v1' }],
  security: [{ key: [] }, { basic: [] }],
  paths: {
    ...paths,
    '/content/{filter}': {
      get: {
        operationId: 'content',
        parameters: [
          {
            name: 'filter',
            in: 'path',
            required: true,
            content: { 'application/json': { schema: object } },
          },
          { name: 'q', in: 'query', content: { 'application/json': { schema: object } } },
          { name: 'X-Q', in: 'header', content: { 'application/json': { schema: object } } },
          { name: 'c', in: 'cookie', content: { 'application/json': { schema: object } } },
          { name: 'plain', in: 'query', content: { 'text/plain': { schema: { type: 'string' } } } },
        ],
        responses: ok,
      },
    },
    '/reserved': {
      get: {
        operationId: 'reserved',
        parameters: [
          query('q', { allowReserved: true, schema: { type: 'string' } }),
          query('r[]', { required: true, schema: array }),
        ],
        responses: ok,
      },
    },
    '/bodies/json': {
      post: {
        operationId: 'send json',
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/Ship' }) },
        responses: ok,
      },
    },
    '/bodies/form': {
      post: {
        operationId: 'send form',
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                properties: {
                  name: { type: 'string' },
                  tags: array,
                  flat: array,
                  deep: object,
                  raw: object,
                },
              },
              encoding: {
                flat: { style: 'form', explode: false },
                deep: { style: 'deepObject', explode: true },
              },
            },
          },
        },
        responses: ok,
      },
    },
    '/bodies/multipart': {
      post: {
        operationId: 'send multipart',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: {
                  file: { type: 'string', contentMediaType: 'application/octet-stream' },
                  pages: { type: 'array', items: { type: 'string', format: 'binary' } },
                  note: { type: 'string' },
                  about: { $ref: '#/components/schemas/Ship' },
                  table: { type: 'string' },
                },
              },
              encoding: {
                table: {
                  contentType: 'text/csv',
                  headers: {
                    'X-Version': { schema: { const: '2' } },
                    'X-Rows': { $ref: '#/components/headers/Rows' },
                  },
                },
              },
            },
          },
        },
        responses: ok,
      },
    },
    '/bodies/several': {
      put: {
        operationId: 'send several',
        requestBody: {
          content: {
            'text/plain': { schema: { type: 'string' } },
            'application/octet-stream': {},
            'application/json': { schema: { $ref: '#/components/schemas/Ship' } },
          },
        },
        responses: ok,
      },
    },
    '/answers': {
      get: {
        operationId: 'answers',
        security: [],
        parameters: [query('as', { schema: { type: 'string' } })],
        responses: {
          200: {
            description: 'Some ship.',
            headers: {
              'X-Limit': { $ref: '#/components/headers/Limit' },
              'X-Ratio': { schema: { type: 'number' } },
              'X-Last': { required: true, schema: { type: 'boolean' } },
              'X-Kind': { schema: { type: 'string', enum: ['big', 'small'] } },
              'X-Tags': { schema: array },
              'X-Sizes': { schema: { type: 'array', items: { type: 'integer' } } },
              'X-Data': { content: { 'application/json': { schema: object } } },
              'X-Map': { schema: object },
            },
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Ship' } },
              'text/plain': { schema: { type: 'string' } },
              'image/*': {},
            },
          },
          204: { description: 'None.' },
          '4XX': {
            description: 'Refused.',
            content: {
              'application/problem+json': {
                schema: { type: 'object', properties: { title: { type: 'string' } } },
              },
            },
          },
          default: { description: 'Odd.' },
        },
      },
    },
    '/events': {
      get: {
        operationId: 'watch',
        responses: {
          200: {
            description: 'Ships as they arrive.',
            content: {
              'text/event-stream': { schema: { $ref: '#/components/schemas/Ship' } },
              'application/x-ndjson': { schema: { $ref: '#/components/schemas/Ship' } },
            },
          },
        },
      },
    },
    '/texts': {
      get: {
        operationId: 'listen',
        responses: { 200: { description: 'Texts.', content: { 'text/event-stream': {} } } },
      },
    },
    '/photo': {
      get: {
        operationId: 'photo',
        responses: {
          200: { description: 'A photo.', content: { 'image/png': {} } },
          404: { description: 'None.', ...json({ $ref: '#/components/schemas/Ship' }) },
        },
      },
    },
    '/ranged': {
      get: {
        operationId: 'ranged',
        responses: {
          201: { description: 'A ship.', ...json({ $ref: '#/components/schemas/Ship' }) },
          '2XX': { description: 'A photo.', content: { 'image/png': {} } },
          503: { description: 'Busy.', ...json({ $ref: '#/components/schemas/Ship' }) },
          // The body of a failure is no stream.
          '5XX': {
            description: 'Broken.',
            content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/Ship' } } },
          },
        },
      },
    },
    '/alone': {
      get: {
        operationId: 'alone',
        responses: {
          default: { description: 'Any.', ...json({ $ref: '#/components/schemas/Ship' }) },
        },
      },
    },
    '/bearer': {
      get: {
        operationId: 'bearer',
        security: [{ session: [], cookieKey: [], queryKey: [] }],
        responses: ok,
      },
    },
    '/trace': { trace: { operationId: 'trace', responses: ok } },
    '/uploads': {
      servers: [{ url: 'https://uploads.harbour.example' }],
      post: { operationId: 'request', requestBody: { content: { '*/*': {} } }, responses: ok },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      queryKey: { type: 'apiKey', in: 'query', name: 'key' },
      cookieKey: { type: 'apiKey', in: 'cookie', name: 'sid' },
      basic: { type: 'http', scheme: 'basic' },
      session: { type: 'http', scheme: 'bearer' },
    },
    headers: {
      Limit: { schema: { $ref: '#/components/schemas/Count' } },
      Rows: { required: true, schema: { type: 'integer' } },
    },
    schemas: {
      Count: { type: ['integer', 'null'], minimum: 0 },
      Ship: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, tons: { type: 'integer' } },
        additionalProperties: false,
      },
    },
  },
};
