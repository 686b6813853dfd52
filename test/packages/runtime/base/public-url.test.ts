import { expect, test } from 'vitest';
import { createUrlMapping, type PublicUrl } from '../../../../packages/runtime/base/index.ts';

const stage = { received: '/stage', called: 'https://example.com' };

test.each<readonly [PublicUrl, received: string, called: string]>([
  ['https://example.com', '/hooks?a=b', 'https://example.com/hooks?a=b'],
  ['https://example.com', '/', 'https://example.com/'],
  ['https://example.com', 'http://10.0.0.1/hooks?a', 'https://example.com/hooks?a'],
  ['https://example.com/', '/hooks', 'https://example.com/hooks'],
  ['https://example.com/api', '/hooks', 'https://example.com/api/hooks'],
  ['https://example.com/api/', '/hooks', 'https://example.com/api/hooks'],
  ['https://example.com/api', '/', 'https://example.com/api/'],
  ['/api', '/hooks?a=b', '/api/hooks?a=b'],
  ['/api', '/%2e%2e//x', '/api/%2e%2e//x'],
  [stage, '/stage/hooks?a=b', 'https://example.com/hooks?a=b'],
  [stage, '/stage', 'https://example.com/'],
  [stage, '/stage?a', 'https://example.com/?a'],
  [stage, '/stages/hooks', 'https://example.com/stages/hooks'],
  [stage, '/other', 'https://example.com/other'],
  [{ ...stage, received: '/stage/' }, '/stage/hooks', 'https://example.com/hooks'],
  [{ received: '/internal', called: '/v1/pay' }, '/internal/hooks', '/v1/pay/hooks'],
  [{ received: '/internal', called: '/v1/pay' }, '/internal', '/v1/pay'],
  [{ received: '/internal', called: '/' }, '/internal/hooks', '/hooks'],
  [{ received: '/internal', called: '/' }, '/internal', '/'],
])('%j maps %s to %s', (publicUrl, received, called) => {
  expect(createUrlMapping(publicUrl)?.map(received)).toBe(called);
});

test.each([
  '',
  'example.com',
  'https://',
  'https://user@example.com',
  'https://example.com?a',
  'https://example.com/a?b',
  'https://example.com/#a',
  'ftp://example.com',
  'https://example com',
  'api',
  { received: 'stage', called: 'https://example.com' },
  { received: '/stage?a', called: 'https://example.com' },
  { received: '/stage', called: '' },
  { received: '/stage' },
  { called: '/a' },
  {},
])('%j is not a public URL', (value) => {
  expect(createUrlMapping(value as PublicUrl)).toBeUndefined();
});
