import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { compileRouter } from '../../../../packages/simulator/src/calls/router.ts';
import { runsOf } from '../../../some.ts';

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

test('a segment with several parameters is divided as the shortest match of each', () => {
  const pieces = fc.array(fc.constantFrom('', 'a', '-', 'a-', '--', '.'), {
    minLength: 2,
    maxLength: 5,
  });
  const texts = fc.string({ unit: fc.constantFrom('a', '-', '.', 'b'), maxLength: 12 });
  fc.assert(
    fc.property(pieces, texts, (literals, text) => {
      const path = `/x${literals.map((literal, index) => (index === 0 ? literal : `{p${index}}${literal}`)).join('')}`;
      const source = literals
        .map((literal) => literal.replaceAll('.', String.raw`\.`))
        .join('(.+?)');
      const match = new RegExp(`^x${source}$`, 'su').exec(`x${text}`);
      const routed = compileRouter([{ method: 'GET', path, value: 1 }])('GET', `/x${text}`);
      const expected = match?.slice(1).map((part, index) => [`p${index + 1}`, part]);
      expect(routed.kind === 'found' ? routed.parameters : undefined).toEqual(expected);
    }),
    { numRuns: runsOf(2000) },
  );
});

test.each([100, 1000, 8000])('a segment of %i characters is searched once', (length) => {
  const several = compileRouter([{ method: 'GET', path: '/{a}-{b}-{c}-{d}.json', value: 1 }]);
  let steps = 0;
  const { indexOf } = String.prototype;
  vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, text, from = 0) {
    const position = indexOf.call(this, text, from);
    steps += (position < 0 ? this.length : position) - from;
    return position;
  });
  const matches = vi.spyOn(RegExp.prototype, 'exec');
  const routed = several('GET', `/${'-'.repeat(length)}`);
  expect(matches).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  expect(routed.kind).toBe('path');
  expect(steps).toBeLessThanOrEqual(4 * length);
});
