import { expect, test } from 'vitest';
import { compileRouter } from '../../../../packages/simulator/src/calls/router.ts';

const route = compileRouter(
  [
    'GET /',
    'GET /things',
    'POST /things',
    'GET /things/{id}',
    'DELETE /things/{id}',
    'GET /things/newest',
    'GET /things/{id}.json',
    'GET /things/{a}..{b}/parts',
    'GET /über/{id}',
    'GET /things/{id}/',
  ].map((value) => {
    const [method = '', path = ''] = value.split(' ');
    return { method, path, value };
  }),
);

test.each([
  ['GET', '/', 'GET /', []],
  ['GET', '/things', 'GET /things', []],
  ['HEAD', '/things', 'GET /things', []],
  ['GET', '/things/12', 'GET /things/{id}', [['id', '12']]],
  ['GET', '/things/a%2Fb', 'GET /things/{id}', [['id', 'a%2Fb']]],
  ['GET', '/things/newest', 'GET /things/newest', []],
  ['GET', '/things/12.json', 'GET /things/{id}.json', [['id', '12']]],
  ['DELETE', '/things/newest', 'DELETE /things/{id}', [['id', 'newest']]],
  ['GET', '/th%69ngs/n%65west', 'GET /things/newest', []],
  [
    'GET',
    '/things/1..2/parts',
    'GET /things/{a}..{b}/parts',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  ['GET', '/%C3%BCber/1', 'GET /über/{id}', [['id', '1']]],
  ['GET', '/things/1/', 'GET /things/{id}/', [['id', '1']]],
])('routes %s %s to %s', (method, path, value, parameters) => {
  expect(route(method, path)).toEqual({ kind: 'found', value, parameters });
});

test.each([
  ['PUT', '/things', ['GET', 'POST']],
  ['POST', '/things/newest', ['GET', 'DELETE']],
])('reports the methods of %s %s', (method, path, allowed) => {
  expect(route(method, path)).toEqual({ kind: 'method', allowed });
});

test.each(['/thing', '/Things', '/things/', '//things', '/things/1/parts', '/%zz'])(
  'has no route for %s',
  (path) => expect(route('GET', path)).toEqual({ kind: 'path' }),
);
