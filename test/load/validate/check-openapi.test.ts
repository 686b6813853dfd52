import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../generator/json/json.ts';
import { checkOpenapi } from '../../../generator/load/validate/check-openapi.ts';

/** A document whose one operation has these parts. */
function documentWith(
  openapi: string,
  {
    encoding = {},
    links = {},
    scheme = {},
    paths = {},
    servers = [],
  }: Readonly<Record<string, object>>,
): JsonObject {
  const content = { 'multipart/form-data': { schema: { type: 'object' }, encoding } };
  const responses = { 200: { description: 'Done.', links } };
  const document: object = {
    openapi,
    info: { title: 'Parcels', version: '1.0.0', license: { name: 'MIT' } },
    servers,
    paths: { '/parcels': { post: { requestBody: { content }, responses } }, ...paths },
    components: {
      headers: { Size: { schema: { type: 'string' } } },
      securitySchemes: { login: { type: 'http', scheme: 'basic', ...scheme } },
      ...(openapi.startsWith('3.1')
        ? { pathItems: { Found: { get: { responses: { 200: { description: 'Found.' } } } } } }
        : {}),
    },
  };
  return document as JsonObject;
}

const server = { url: 'https://parcels.example' };
const size = { $ref: '#/components/headers/Size' };

describe.each(['3.0.3', '3.1.1'])('swagger-parser, OpenAPI %s', (openapi) => {
  test.each<[string, Readonly<Record<string, object>>]>([
    ['an extension of an encoding', { encoding: { label: { 'x-color': 'red' } } }],
    ['a reference to a header of an encoding', { encoding: { label: { headers: { size } } } }],
    [
      'constants as parameters of a link',
      { links: { next: { operationId: 'list', parameters: { page: 2, all: true } } } },
    ],
    ['the server of a link', { links: { next: { operationId: 'list', server } } }],
    [
      'the name of a scheme in capital letters',
      { scheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
    ],
    [
      'the description of a server variable',
      { servers: [{ url: '/{v}', variables: { v: { default: '1', description: 'Version.' } } }] },
    ],
    [
      'an extension of a callback',
      {
        paths: {
          '/calls': {
            post: {
              responses: { 200: { description: 'Called.' } },
              callbacks: { called: { 'x-color': 'red' } },
            },
          },
        },
      },
    ],
  ])('has nothing against %s', async (_, parts) => {
    expect(await checkOpenapi(documentWith(openapi, parts))).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, object>>, readonly string[]]>([
    [
      'another member of an encoding',
      { encoding: { label: { color: 'red' } } },
      ['encoding', 'label', 'color'],
    ],
    [
      'a header of an encoding that is not a reference',
      { encoding: { label: { headers: { size: { schema: {}, required: 'yes' } } } } },
      ['encoding', 'label', 'headers', 'size', 'required'],
    ],
    [
      'another member of a link',
      { links: { next: { operationId: 'list', color: 'red' } } },
      ['links', 'next', 'color'],
    ],
    [
      'the format of another scheme',
      { scheme: { scheme: 'basic', bearerFormat: 'JWT' } },
      ['securitySchemes', 'login'],
    ],
  ])('reports %s', async (_, parts, place) => {
    const problems = await checkOpenapi(documentWith(openapi, parts));
    const places = problems.map(({ members }) => members.join('/'));
    expect(places.join('\n')).toContain(place.join('/'));
  });
});

test('swagger-parser has nothing against a reference of a path item: OpenAPI 3.1', async () => {
  const paths = { '/found': { $ref: '#/components/pathItems/Found' } };
  expect(await checkOpenapi(documentWith('3.1.1', { paths }))).toEqual([]);
});
