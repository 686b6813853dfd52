import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fromHeaders,
  type SignableRequest,
  type SignatureScheme,
  SigningError,
  writeTimestamp,
} from '../../../../packages/runtime/signing/index.ts';
import {
  createTestVectors,
  type VectorRequest,
} from '../../../../packages/runtime/signing/test-vectors.ts';
import * as unchecked from '../../../../packages/runtime/signing/core.ts';
import { framed, schemeOver, textsOf } from './framed-schemes.ts';
import { now, readOwnScheme, readScheme, vendors } from './read-scheme.ts';
import { signByReference, stampByReference, verifyByReference } from './reference-signatures.ts';
import { authentic, base, body, key, refusals, signature, withHeader } from './refused-requests.ts';
import { toSignable } from './signable.ts';

const contracts = await Promise.all([
  readOwnScheme().then((scheme) => ["the contract's own scheme", scheme] as const),
  ...vendors.map(async (vendor) => [vendor, await readScheme(vendor)] as const),
]);

type Options = Parameters<typeof unchecked.createSigner>[1];

const createSigner = (scheme: SignatureScheme, options: Options) =>
  unchecked.createSigner(scheme, options, unchecked.timestampPatterns);

const createVerifier = (
  scheme: SignatureScheme,
  options: Parameters<typeof unchecked.createVerifier>[1],
) => unchecked.createVerifier(scheme, options, unchecked.timestampPatterns);

/** Returns the headers that the signer adds to a request, or that it refuses. */
async function signed(
  scheme: SignatureScheme,
  options: Options,
  request: SignableRequest,
): Promise<unknown> {
  try {
    return await createSigner(scheme, options).sign(request);
  } catch (error) {
    if (error instanceof SigningError) return 'refused';
    throw error;
  }
}

/** Returns the headers that the oracle adds to a request, or that it refuses. */
function expectedHeaders(
  scheme: SignatureScheme,
  { key, clock }: Options,
  request: SignableRequest,
): unknown {
  const { header, timestamp, value } = scheme;
  const stamp = stampByReference(scheme, clock?.() ?? now, request, writeTimestamp);
  const digest = signByReference(scheme, key, stamp, request);
  if (digest === undefined) return 'refused';
  const isPresent =
    timestamp?.header !== undefined && request.headers(timestamp.header.toLowerCase()).length > 0;
  return {
    ...(timestamp?.header === undefined || isPresent ? {} : { [timestamp.header]: stamp }),
    [header]: value.replace('{signature}', digest).replace('{timestamp}', stamp),
  };
}

function toRequest({ method, url, headers, body: encodedBody }: VectorRequest): SignableRequest {
  return toSignable({ method, url, headers, body: Buffer.from(encodedBody, 'base64') });
}

function without(request: SignableRequest, ...names: readonly (string | undefined)[]) {
  const dropped = names.map((name) => name?.toLowerCase());
  return {
    ...request,
    headers: (name: string) => (dropped.includes(name) ? [] : request.headers(name)),
  };
}

/** Declares the tests of the core, with the cryptographic interface that the file imports. */
export function describeCore(): void {
  describe.each(contracts)('with %s', (_, scheme) => {
    test('signs and verifies every vector', async () => {
      const vectors = await createTestVectors(scheme);
      const clock = (): number => vectors.clock;
      const keys = [Uint8Array.of(1), vectors.key];
      const { verify } = createVerifier(scheme, { keys, clock });
      expect(vectors.authentic).not.toEqual([]);
      for (const { request: vector } of vectors.authentic) {
        const request = toRequest(vector);
        const bare = without(request, scheme.header, scheme.timestamp?.header);
        const options = { key: vectors.key, clock };
        expect(await signed(scheme, options, bare)).toEqual(expectedHeaders(scheme, options, bare));
        expect(await verify(request)).toEqual({
          ok: true,
          key: 1,
          ...(scheme.timestamp && { timestamp: vectors.clock }),
        });
      }
      expect(vectors.refused).not.toEqual([]);
      for (const { request: vector, reason } of vectors.refused)
        expect(await verify(toRequest(vector))).toEqual({ ok: false, reason });
      for (const { request: vector } of vectors.ambiguous) {
        const request = toRequest(vector);
        expect(await signed(scheme, { key: vectors.key, clock }, request)).toBe('refused');
      }
    });

    test('signs with what a platform says of headers', async () => {
      const names = scheme.over.flatMap((part) =>
        typeof part === 'string' ? (/^\$request\.header\.(.+)$/.exec(part)?.[1] ?? []) : [],
      );
      const requestHeaders = new Headers(
        names.filter((name) => name !== scheme.timestamp?.header).map((name) => [name, 'a']),
      );
      const request = { ...toSignable({ body: '{}' }), headers: fromHeaders(requestHeaders) };
      const options = { key: Uint8Array.of(1), clock: () => now };
      const headers = await signed(scheme, options, request);
      expect(headers).toEqual(expectedHeaders(scheme, options, request));
      expect(headers).not.toBe('refused');
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
    ])('agrees with the oracle about the body %j with every kind of path', async (text) => {
      for (const url of ['/a', '/a?b=%7D', 'https://h.example/a}', 'https://h.example?a', '/0'])
        for (const apikey of ['a1767225600b', 'a/b', '2026-01-01T00:00:00'])
          await expectAgreement(
            scheme,
            toSignable({
              url,
              body: text,
              headers: { apikey, 'webhook-id': apikey, 'svix-id': apikey },
            }),
          );
    });
  });

  /** Signs a request as the oracle or refuses it, and verifies as the oracle what is signed, or a made-up signature. */
  async function expectAgreement(scheme: SignatureScheme, request: SignableRequest): Promise<void> {
    const options = { key: 'key', clock: () => now };
    const { key: _, ...encoded } = scheme;
    const plain: SignatureScheme = { ...encoded, key: { encoding: 'utf-8' } };
    const expected = expectedHeaders(plain, options, request);
    expect(await signed(plain, options, request)).toEqual(expected);
    const headers: Readonly<Record<string, string>> =
      typeof expected === 'object'
        ? (expected as Record<string, string>)
        : Object.fromEntries([
            [scheme.header, placeholder(scheme)],
            ...(scheme.timestamp?.header === undefined
              ? []
              : [[scheme.timestamp.header, '2026-01-01T00:00:00Z']]),
          ]);
    const added = toSignable({ headers });
    const arrived = {
      ...request,
      headers: (name: string) => {
        const values = added.headers(name);
        return values.length > 0 ? values : request.headers(name);
      },
    };
    await expectSameVerdict(plain, arrived);
  }

  async function expectSameVerdict(
    scheme: SignatureScheme,
    request: SignableRequest,
  ): Promise<void> {
    const options = { keys: ['another', 'key'], clock: () => now };
    expect(await createVerifier(scheme, options).verify(request)).toEqual(
      verifyByReference(scheme, options.keys, now, request),
    );
  }

  /** A value that has the form of a signature. */
  function placeholder({ value, encoding }: SignatureScheme): string {
    return value
      .replace('{signature}', Buffer.alloc(32, 1).toString(encoding))
      .replace('{timestamp}', String(now / 1000));
  }

  describe('of requests with parts that could be each other', () => {
    test.each([
      ...framed,
      [
        'body, text beyond ASCII, path',
        schemeOver(['$timestamp', '$request.body', { text: 'é' }, '$url.path']),
      ],
      ['body, host and path', schemeOver(['$timestamp', '$request.body', '$url.host+path'])],
      [
        'parts with empty text between them',
        schemeOver(['$timestamp', { text: '' }, '$request.body', { text: '' }, '$url.path']),
      ],
      ['date-time in seconds', schemeOver(['$timestamp', '$request.body'], 'iso-8601-seconds')],
      [
        'header, two texts, body',
        schemeOver([
          '$timestamp',
          '$request.header.a',
          { text: '.' },
          { text: ':' },
          '$request.body',
        ]),
      ],
    ] as const)('are signed and verified as by the oracle: %s', async (_, scheme) => {
      const parts = unchecked.toParts(scheme);
      const format = scheme.timestamp?.format ?? 'iso-8601';
      let both = 0;
      await fc.assert(
        fc.asyncProperty(fc.tuple(...parts.map((part) => textsOf(part, format))), async (texts) => {
          const of = (...kinds: readonly string[]): string | undefined =>
            texts[parts.findIndex(({ kind }) => kinds.includes(kind))];
          const stamp = of('$timestamp');
          const request = toSignable({
            method: of('$method') ?? 'POST',
            url: of('$url.path', '$url.path+query', '$url', '$url.host+path') ?? '/',
            body: of('$request.body') ?? '',
            headers: { a: of('header') ?? 'a', ...(stamp && { 'x-timestamp': stamp }) },
          });
          const options = { key: 'key', clock: () => now };
          const expected = expectedHeaders(scheme, options, request);
          expect(await signed(scheme, options, request)).toEqual(expected);
          both += expected === 'refused' ? 0 : 1;
          await expectAgreement(scheme, request);
        }),
        { numRuns: 200, seed: 1 },
      );
      expect(both).toBeGreaterThan(5);
    });
  });

  describe('a verifier', () => {
    const clock = (): number => now;
    const { verify } = createVerifier(base, { keys: [key], clock });

    test('accepts the authentic request, whatever the case of its header names', async () => {
      const upper = Object.entries(authentic).map(
        ([name, value]) => [name.toUpperCase(), value] as const,
      );
      for (const headers of [Object.entries(authentic), upper])
        expect(await verify(toSignable({ headers, body }))).toEqual({
          ok: true,
          key: 0,
          timestamp: now,
        });
    });

    test.each(refusals)('refuses %s', async (_, headers, reason) => {
      expect(await verify(toSignable({ headers, body }))).toEqual({ ok: false, reason });
    });

    test.each([
      ['parsed JSON', { amount: 1 }],
      ['text', body],
      ['nothing', undefined],
    ])('says that the body is no longer bytes: %s', async (_, parsed) => {
      const request = { ...toSignable({ headers: authentic }), body: parsed as never };
      expect(await verify(request)).toEqual({ ok: false, reason: 'body-not-bytes' });
    });

    test.each([null, 'abc', [['v1,a']], [1], [], ['', '']])(
      'answers as the oracle to a lookup that returns %j',
      async (answer) => {
        await expectSameVerdict(base, { ...toSignable({ body }), headers: () => answer as never });
      },
    );

    test('checks a small fixed number of the signatures in one header', async () => {
      const decoy = `v1,${Buffer.alloc(32, 1).toString('base64')}`;
      const among = (decoys: number): ReturnType<typeof verify> => {
        const value = [...Array(decoys).fill(decoy), signature].join(' ');
        return verify(toSignable({ headers: withHeader('X-Signature', value), body }));
      };
      expect(await among(7)).toMatchObject({ ok: true });
      expect(await among(8)).toEqual({ ok: false, reason: 'signature-mismatch' });
      expect(await among(1000)).toEqual({ ok: false, reason: 'malformed-signature' });
    });

    test('accepts a timestamp at either end of the tolerance, its own where one is given', async () => {
      const request = toSignable({ headers: authentic, body });
      for (const at of [now - 300_000, now + 300_000]) {
        const shifted = { keys: [key], clock: () => at };
        expect(await createVerifier(base, shifted).verify(request)).toMatchObject({
          ok: true,
        });
        const strict = createVerifier(base, { ...shifted, toleranceMs: 299_000 });
        expect(await strict.verify(request)).toMatchObject({ ok: false });
      }
    });

    test('lets nothing through when its clock tells no time', async () => {
      const broken = createVerifier(base, { keys: [key], clock: () => Number.NaN });
      expect(await broken.verify(toSignable({ headers: authentic, body }))).toMatchObject({
        ok: false,
      });
    });

    test('holds the bytes that were there when it was asked', async () => {
      const bytes = new TextEncoder().encode(body);
      const verification = verify(toSignable({ headers: authentic, body: bytes }));
      bytes.fill(0);
      expect(await verification).toMatchObject({ ok: true });
    });

    test.each([0, -1, Number.NaN, Infinity])(
      'is not made with a tolerance of %s',
      (toleranceMs) => {
        expect(() => createVerifier(base, { keys: [key], toleranceMs })).toThrow(
          expect.objectContaining({ code: 'invalid-option', member: 'toleranceMs' }),
        );
      },
    );

    test('is not made without a key', () => {
      const missingKey = expect.objectContaining({ code: 'missing-key' });
      expect(() => createVerifier(base, { keys: [] })).toThrow(missingKey);
      expect(() => createVerifier(base, {} as never)).toThrow(missingKey);
    });
  });

  describe('values of the header', () => {
    const stamp = String(now / 1000);
    const digest = '0'.repeat(64);
    const shape = (value: string, separator?: string): SignatureScheme => ({
      ...base,
      over: ['$timestamp', '$request.body'],
      encoding: 'hex',
      value,
      ...(separator === undefined ? {} : { separator }),
      timestamp: { format: 'unix-seconds', tolerance: 300 },
    });

    test.each<readonly [string, SignatureScheme]>([
      ['labelled items', shape('t={timestamp},v1={signature}', ',')],
      ['bare items, known by their place', shape('{timestamp},{signature}', ',')],
      ['labels of which one begins another', shape('v{timestamp}|v1{signature}', '|')],
      ['text after what they carry', shape('<{timestamp}> <{signature}>!', ' ')],
      ['an item that carries nothing', shape('hmac;{timestamp};{signature}', ';')],
    ])('are read alike: %s', async (_, scheme) => {
      const options = { key: 'key', clock: () => now };
      const request = toSignable({ body });
      const { [scheme.header]: right = '' } = await createSigner(scheme, options).sign(request);
      const { separator = '' } = scheme;
      const items = right.split(separator);
      const item = fc.constantFrom(
        ...items,
        '',
        'x',
        't=',
        `t=${stamp}`,
        `v1=${digest}`,
        `v1${digest}`,
        stamp,
        digest,
        '<>',
        '<>!',
      );
      const check = async (value: string): Promise<void> =>
        expectSameVerdict(scheme, toSignable({ body, headers: { [scheme.header]: value } }));
      await check(right);
      await fc.assert(
        fc.asyncProperty(fc.array(item, { maxLength: 5 }), (drawn) => check(drawn.join(separator))),
      );
    });
  });

  describe('keys', () => {
    test.each([
      ['base64', 'c2VjcmV0IGtleQ=='],
      ['hex', '00ffA1'],
      ['utf-8', 'schlüssel'],
    ] as const)('in %s are read as the oracle reads them', async (encoding, text) => {
      const scheme: SignatureScheme = {
        algorithm: 'hmac-sha512',
        key: { encoding, prefix: 'key_' },
        over: ['$request.body'],
        encoding: 'hex',
        header: 'x-signature',
        value: 'sig={signature}',
      };
      const request = toSignable({ body: '{}' });
      for (const secret of [text, `key_${text}`]) {
        const headers = await createSigner(scheme, { key: secret }).sign(request);
        expect(headers).toEqual(expectedHeaders(scheme, { key: secret }, request));
        const arrived = toSignable({ body: '{}', headers });
        const { verify } = createVerifier(scheme, { keys: ['BBBB', secret] });
        expect(await verify(arrived)).toEqual({ ok: true, key: 1 });
      }
      for (const broken of [
        '',
        'key_',
        ...(encoding === 'utf-8' ? [] : ['?', 'abc', `${text}\n`]),
      ]) {
        expect(() => createSigner(scheme, { key: broken }), broken).toThrow(/-key/);
        expect(() => createVerifier(scheme, { keys: [text, broken] }), broken).toThrow(/-key/);
      }
    });

    test.each([undefined, null, '', new Uint8Array()])('are refused where they are %j', (empty) => {
      expect(() => createSigner(base, { key: empty as string })).toThrow(
        expect.objectContaining({ code: 'missing-key' }),
      );
    });
  });
}
