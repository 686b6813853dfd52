import { expect, it } from 'vitest';
import { labelParameters } from '../../../../packages/simulator/src/console/label-parameters.ts';

it.each([
  ['/a/{id}', 'http://h/base/a/x%20y', { id: 'x y' }],
  ['/a/{id}/b/{other}', 'http://h/a/1/b/2?c=3', { id: '1', other: '2' }],
  ['/a/{id}', 'http://h/b/1', {}],
  ['/a/{id}', 'http://h/1', {}],
  ['', 'http://h/1', {}],
  ['/a/{id}', 'nonsense', {}],
  ['/{id}', 'http://h/%zz', { id: '%zz' }],
])('reads the parameters of %s in %s', (path, url, parameters) => {
  expect(labelParameters(path, url)).toEqual(parameters);
});
