import { expect, test } from 'vitest';
import {
  composeRequest,
  labelPath,
} from '../../../../packages/simulator/src/sending/compose-request.ts';

const label = {
  path: '/v1/{kind}/{id}/{other}',
  parameters: [
    { name: 'kind', identifying: 'paid' },
    { name: 'id', inPayload: '/id', identifying: 'never' },
    { name: 'other' },
  ],
};

test.each<[string, Parameters<typeof labelPath>[2], string]>([
  ['the values of the payload, what identifies, and names', {}, '/v1/paid/a%2Fb/other'],
  ['given values first', { kind: 'k', id: 'i', other: 'o' }, '/v1/k/i/o'],
])('the path of a label has %s', (_, given, path) => {
  expect(labelPath({ label }, { id: 'a/b' }, given)).toBe(path);
});

test('headers of the caller replace those of the contract, and no header repeats', () => {
  const delivery = {
    method: 'PUT',
    contentType: 'application/json',
    headers: { 'x-kind': 'sent', 'x-other': 'one' },
  };
  const url = new URL('http://127.0.0.1/hooks');
  const body = new TextEncoder().encode('{}');
  expect(composeRequest({ delivery }, url, [['X-Kind', 'mine']], body)).toEqual({
    method: 'PUT',
    url,
    headers: [
      ['content-type', 'application/json'],
      ['X-Kind', 'mine'],
      ['x-other', 'one'],
    ],
    body,
  });
});
