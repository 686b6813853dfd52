import { describe, expect, test } from 'vitest';
import { createCompactSigner } from '../../packages/client/src/index.ts';
import { createSigner, type SignatureScheme } from '../../packages/signing/src/index.ts';
import { createTestVectors, type VectorRequest } from '../../packages/signing/src/test-vectors.ts';
import { readOwnScheme, readScheme, vendors } from '../signing/read-scheme.ts';

const schemes = await Promise.all([
  readOwnScheme().then((scheme) => ["the contract's own scheme", scheme] as const),
  ...vendors.map(async (vendor) => [vendor, await readScheme(vendor)] as const),
]);

/** What a signer makes of a request: the headers it adds, or that it refuses. */
async function outcome(
  create: typeof createSigner,
  scheme: SignatureScheme,
  key: string | Uint8Array,
  clock: number,
  request: VectorRequest,
): Promise<unknown> {
  const headers = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  headers.delete(scheme.header.toLowerCase());
  try {
    return await create(scheme, { key, clock: () => clock }).sign({
      ...request,
      headers: (name) => [headers.get(name)].filter((value) => value !== undefined),
      body: Buffer.from(request.body, 'base64'),
    });
  } catch {
    return 'refused';
  }
}

describe.each(schemes)('signing as %s says', (_, scheme) => {
  test('gives what the full signer gives, and refuses what it refuses', async () => {
    const vectors = await createTestVectors(scheme);
    const requests = [
      ...vectors.authentic.map(({ request }) => request),
      ...vectors.ambiguous.map(({ request }) => request),
    ];
    let signed = 0;
    for (const request of requests) {
      const one = await outcome(createSigner, scheme, vectors.key, vectors.clock, request);
      const other = await outcome(
        createCompactSigner as typeof createSigner,
        scheme,
        vectors.key,
        vectors.clock,
        request,
      );
      expect(other, JSON.stringify(request)).toEqual(one);
      if (one !== 'refused') signed += 1;
    }
    expect(signed).toBe(vectors.authentic.length);
  });

  test.each([
    '',
    '{"a":1',
    '{"a":1}',
    '[1] ',
    '[1}',
    '{}x',
    'a/b',
    'a=%2F',
    '\u0000',
    '12',
    '"x"',
    ' {}',
  ])('agrees about the body %j with every kind of path', async (body) => {
    const { key, clock } = await createTestVectors(scheme);
    const headers = Object.fromEntries(
      scheme.over.flatMap((part) => {
        const name =
          typeof part === 'string' ? /^\$request\.header\.(.+)$/.exec(part)?.[1] : undefined;
        return name === undefined || name === scheme.timestamp?.header
          ? []
          : [[name, 'a1767225600b']];
      }),
    );
    for (const url of ['/a', '/a?b=%7D', 'https://h.example/a}', 'https://h.example', '/0']) {
      const bytes = Buffer.from(body).toString('base64');
      const request = { method: 'POST', url, headers, body: bytes };
      const expected = await outcome(createSigner, scheme, key, clock, request);
      const given = await outcome(
        createCompactSigner as typeof createSigner,
        scheme,
        key,
        clock,
        request,
      );
      if (url === 'https://h.example') continue;
      expect(given, url).toEqual(expected);
    }
  });
});

test.each([
  ['base64', 'c2VjcmV0IGtleQ=='],
  ['hex', '00ffA1'],
  ['utf-8', 'schlüssel'],
] as const)('reads a key in %s as the full signer does', async (encoding, key) => {
  const scheme: SignatureScheme = {
    algorithm: 'hmac-sha512',
    key: { encoding, prefix: 'key_' },
    over: ['$request.body'],
    encoding: 'hex',
    header: 'x-signature',
    value: 'sig={signature}',
  };
  const request = { method: 'POST', url: '/', headers: {}, body: 'e30=' };
  for (const given of [key, `key_${key}`]) {
    const one = await outcome(createSigner, scheme, given, 0, request);
    expect(one).not.toBe('refused');
    expect(
      await outcome(createCompactSigner as typeof createSigner, scheme, given, 0, request),
    ).toEqual(one);
  }
  for (const broken of ['', 'key_', ...(encoding === 'utf-8' ? [] : ['?', 'abc'])]) {
    expect(
      await outcome(createCompactSigner as typeof createSigner, scheme, broken, 0, request),
      broken,
    ).toBe('refused');
  }
});

test.each([
  ['text', ''],
  ['bytes', new Uint8Array()],
])('refuses an empty key of %s when it is made, as the full signer does', (_, key) => {
  const scheme = schemes[0]?.[1];
  if (scheme === undefined) throw new Error('there is no scheme');
  for (const create of [createSigner, createCompactSigner as typeof createSigner]) {
    expect(() => create(scheme, { key, clock: () => 0 })).toThrow(/key/i);
  }
});
