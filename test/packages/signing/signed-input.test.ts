import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createSigner,
  createVerifier,
  type SignedPart,
} from '../../../packages/signing/src/index.ts';
import { createCompactSigner } from '../../../packages/signing/src/compact.ts';
import { schemeOver } from './framed-schemes.ts';
import { toSignable } from './signable.ts';

const key = 'a key';
const now = Date.UTC(2026, 0, 31, 12, 0, 0, 250);
const time = '2026-01-31T12:00:00Z';
const request = (url: string, body = 'a=1'): ReturnType<typeof toSignable> =>
  toSignable({ method: 'POST', url, body, headers: { apikey: 'k' } });

const cases: readonly (readonly [over: readonly SignedPart[], url: string, signed: string])[] = [
  [
    ['$timestamp', '$request.body', '$url.host+path'],
    'https://API.example/v1/token?a=b',
    'a=1api.example/v1/token',
  ],
  [
    ['$timestamp', '$request.body', '$url.host+path'],
    'https://api.example:8443',
    'a=1api.example:8443/',
  ],
  [
    ['$timestamp', '$request.body', { text: '' }, '$url.path'],
    'https://api.example/token',
    'a=1/token',
  ],
  [
    ['$timestamp', '$request.body', { text: '\n' }, '$url.path'],
    'https://api.example/token',
    'a=1\n/token',
  ],
];

describe('the signed text', () => {
  test.each(cases)('of %j at %s', async (over, url, signed) => {
    const scheme = { ...schemeOver(over, 'iso-8601-seconds'), encoding: 'hex' as const };
    const expected = createHmac('sha256', key).update(`${time}${signed}`).digest('hex');
    const bare = { ...scheme, key: { encoding: 'utf-8' as const }, value: '{signature}' };
    for (const create of [createSigner, createCompactSigner]) {
      const headers = await create(bare, { key, clock: () => now }).sign(request(url));
      expect(headers[bare.header]).toBe(expected);
      expect(headers['x-timestamp']).toBe(time);
    }
  });

  test('needs the host where the host is signed', async () => {
    const scheme = schemeOver(['$timestamp', '$request.body', '$url.host+path']);
    const { verify } = createVerifier(scheme, { keys: [key], clock: () => now });
    expect(await verify(request('/token'))).toMatchObject({ ok: false });
  });
});
