import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSigner, createVerifier } from '../../../../packages/runtime/signing/index.ts';
import {
  createTestVectors,
  type VectorRequest,
} from '../../../../packages/runtime/signing/test-vectors.ts';
import {
  createVerifier as createKeyPairVerifier,
  type KeyPairScheme,
} from '../../../../packages/runtime/signing/key-pairs.ts';
import { keyPairSchemes } from './key-pair-suite.ts';
import { readOwnScheme, readScheme, vendors } from './read-scheme.ts';
import { toSignable } from './signable.ts';

const schemes = await Promise.all([
  readOwnScheme().then((scheme) => ["the contract's own", scheme] as const),
  ...vendors.map(async (vendor) => [vendor, await readScheme(vendor)] as const),
]);

const toRequest = (request: VectorRequest): ReturnType<typeof toSignable> =>
  toSignable({ ...request, body: Uint8Array.from(Buffer.from(request.body, 'base64')) });

describe.each(schemes)('test vectors of %s', (_, scheme) => {
  test('are plain JSON and the same every time', async () => {
    const vectors = await createTestVectors(scheme);
    expect(JSON.parse(JSON.stringify(vectors))).toEqual(vectors);
    expect(await createTestVectors(scheme)).toEqual(vectors);
  });

  test('give, by a bare HMAC over the input, the signature in the header', async () => {
    const { key, authentic } = await createTestVectors(scheme);
    const { prefix = '', encoding } = scheme.key;
    const bytes = Buffer.from(key.slice(prefix.length), encoding);
    const names = authentic.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['no body', 'JSON beyond ASCII', 'form text']));
    for (const { request, input } of authentic) {
      const digest = createHmac('sha256', bytes)
        .update(Buffer.from(input, 'base64'))
        .digest(scheme.encoding);
      expect(request.headers[scheme.header]).toContain(digest);
    }
  });

  test('are accepted and refused as they say', async () => {
    const { key, clock, authentic, refused, ambiguous } = await createTestVectors(scheme);
    const { verify } = createVerifier(scheme, { keys: [key], clock: () => clock });
    for (const { request } of authentic)
      expect(await verify(toRequest(request))).toMatchObject({ ok: true });
    expect(refused.length).toBeGreaterThan(3);
    for (const { request, reason } of refused)
      expect(await verify(toRequest(request))).toEqual({ ok: false, reason });
    const { sign } = createSigner(scheme, { key, clock: () => clock });
    for (const { request } of ambiguous)
      expect(() => sign(toRequest(request))).toThrow(
        expect.objectContaining({ code: 'ambiguous-framing' }),
      );
  });
});

test('only a scheme without separators has requests that cannot be framed', async () => {
  const counts = await Promise.all(
    schemes.map(async ([name, scheme]) => [
      name,
      (await createTestVectors(scheme)).ambiguous.length,
    ]),
  );
  expect(counts.filter(([, count]) => count !== 0)).toEqual([["the contract's own", 2]]);
});

describe.each(Object.entries(keyPairSchemes))('test vectors of a key pair: %s', (_, form) => {
  const forms: readonly KeyPairScheme[] = [
    form,
    { ...form, key: { idHeader: 'X-Key-Id' } },
    { ...form, value: 'key={keyId},v1={signature}' },
  ];

  test('are accepted and refused as they say, and their signatures are the same where the algorithm permits', async () => {
    for (const scheme of forms) {
      const vectors = await createTestVectors(scheme);
      const { publicKey = '', keyId, clock, authentic, refused, isRandomized } = vectors;
      expect(JSON.parse(JSON.stringify(vectors))).toEqual(vectors);
      if (isRandomized !== true) expect(await createTestVectors(scheme)).toEqual(vectors);
      expect(isRandomized).toBe(/ecdsa|pss/.test(scheme.algorithm) ? true : undefined);
      const keys = [keyId === undefined ? publicKey : { id: keyId, key: publicKey }];
      const { verify } = createKeyPairVerifier(scheme, { keys, clock: () => clock });
      for (const { request } of authentic)
        expect(await verify(toRequest(request))).toMatchObject({ ok: true });
      expect(authentic.length).toBeGreaterThan(3);
      for (const { request, reason } of refused)
        expect(await verify(toRequest(request))).toEqual({ ok: false, reason });
      expect(refused.length).toBeGreaterThan(3);
    }
  });
});
