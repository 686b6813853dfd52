import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createSigner,
  createVerifier,
  type SignedPart,
} from '../../../../packages/runtime/signing/index.ts';
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
    const headers = await createSigner(bare, { key, clock: () => now }).sign(request(url));
    expect(headers[bare.header]).toBe(expected);
    expect(headers['x-timestamp']).toBe(time);
  });

  test.each<[url: string, basePath: string | undefined, signed: string | undefined]>([
    ['https://api.example/api/token?a=b', '/api', '/token'],
    ['https://api.example/api/v1/token', '/api/v1/', '/token'],
    ['/api/token', '/api', '/token'],
    ['https://api.example/token', undefined, '/token'],
    ['https://api.example/token', '/', '/token'],
    ['https://api.example/api', '/api', '/'],
    ['https://api.example/api/', '/api', '/'],
    ['https://api.example/apis/token', '/api', undefined],
    ['https://api.example/token', '/api', undefined],
  ])('of the path of %s below %j is %j', async (url, basePath, signed) => {
    const over = ['$timestamp', '$request.body', '$url.path-base'] as const;
    const scheme = { ...schemeOver(over, 'iso-8601-seconds'), encoding: 'hex' as const };
    const bare = { ...scheme, key: { encoding: 'utf-8' as const }, value: '{signature}' };
    const call = { ...request(url), ...(basePath === undefined ? {} : { basePath }) };
    const expected = createHmac('sha256', key).update(`${time}a=1${signed}`).digest('hex');
    const clock = (): number => now;
    const signer = createSigner(bare, { key, clock });
    const headers = Promise.resolve().then(() => signer.sign(call));
    if (signed === undefined) await expect(headers).rejects.toThrow();
    else expect((await headers)[bare.header]).toBe(expected);
    const sent = toSignable({
      method: 'POST',
      url,
      body: 'a=1',
      headers: { 'x-timestamp': time, [bare.header]: expected },
    });
    const verdict = await createVerifier(bare, { keys: [key], clock }).verify({
      ...call,
      headers: sent.headers,
    });
    expect(verdict.ok).toBe(signed !== undefined);
  });

  test('needs the host where the host is signed', async () => {
    const scheme = schemeOver(['$timestamp', '$request.body', '$url.host+path']);
    const { verify } = createVerifier(scheme, { keys: [key], clock: () => now });
    expect(await verify(request('/token'))).toMatchObject({ ok: false });
  });
});
