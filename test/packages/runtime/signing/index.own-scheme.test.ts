import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSigner, createVerifier } from '../../../../packages/runtime/signing/index.ts';
import { now, readOwnScheme } from './read-scheme.ts';
import { toSignable } from './signable.ts';

const scheme = await readOwnScheme();
const key = 'the secret that the operator issued';
const signer = createSigner(scheme, { key, clock: () => now });
const verifier = createVerifier(scheme, { keys: [key], clock: () => now });

describe("the contract's own scheme", () => {
  test.each([
    ['form text', 'grant_type=client_credentials&scope=a%2Fb', '/token'],
    ['JSON', '{"txid":"a/b"}', '/cob/1?page=2'],
    ['no body', '', '/cob'],
    ['text beyond ASCII', '{"name":"São João"}', 'https://example.com/v1/cob'],
  ])('is HMAC-SHA-256 over key, timestamp, body and path: %s', async (_, body, url) => {
    const path = new URL(url, 'https://example.com').pathname;
    const expected = createHmac('sha256', key)
      .update(`k-12${new Date(now).toISOString()}${body}${path}`, 'utf8')
      .digest('base64');
    const headers = await signer.sign(toSignable({ url, body, headers: { apikey: 'k-12' } }));
    expect(headers).toEqual({
      'x-timestamp': '2026-01-01T00:00:00.000Z',
      'x-hmac-signature': expected,
    });
    const request = toSignable({ url, body, headers: { apikey: 'k-12', ...headers } });
    expect(await verifier.verify(request)).toEqual({ ok: true, key: 0, timestamp: now });
  });

  test('keeps a timestamp that the request carries already', async () => {
    const headers = { apikey: 'k', 'X-Timestamp': '2026-01-01T00:01:00.000Z' };
    const added = await signer.sign(toSignable({ headers }));
    expect(Object.keys(added)).toEqual(['x-hmac-signature']);
    const request = toSignable({ headers: { ...headers, ...added } });
    expect(await verifier.verify(request)).toMatchObject({ ok: true, timestamp: now + 60_000 });
  });

  test('does not protect method, query, host or a request id', async () => {
    const headers = { apikey: 'k', 'x-request-id': 'one' };
    const added = await signer.sign(toSignable({ headers, url: '/cob?page=1' }));
    const changed = toSignable({
      method: 'DELETE',
      url: 'https://elsewhere.example/cob?page=2',
      headers: { ...headers, 'x-request-id': 'two', ...added },
    });
    expect(await verifier.verify(changed)).toMatchObject({ ok: true });
  });
});
