import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import {
  CompactSign,
  compactVerify,
  exportJWK,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
  type GenerateKeyPairResult,
} from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Jwk,
  type KeyPairScheme,
  createSigner,
  createVerifier,
  toDerSignature,
} from '../../../../packages/runtime/signing/key-pairs.ts';
import { readPublishedTests } from './key-pair-vectors.ts';
import { now } from './read-scheme.ts';
import { toSignable } from './signable.ts';

/** Schemes of every algorithm over everything that a sender can change. */
export const keyPairSchemes: Readonly<Record<string, KeyPairScheme>> = Object.fromEntries(
  (
    [
      ['ed25519', { algorithm: 'ed25519' }],
      ['ecdsa raw', { algorithm: 'ecdsa-p256-sha256', format: 'raw' }],
      ['ecdsa der', { algorithm: 'ecdsa-p256-sha256', format: 'der' }],
      ['rsa-pss', { algorithm: 'rsa-pss-sha256', saltLength: 32 }],
      ['rsa-v1_5', { algorithm: 'rsa-v1_5-sha256' }],
    ] as const
  ).map(([name, parameters]) => [
    name,
    {
      ...parameters,
      key: {},
      over: ['$request.header.x-id', { text: '.' }, '$timestamp', { text: '.' }, '$request.body'],
      encoding: 'base64',
      header: 'X-Signature',
      value: 'v1={signature}',
      separator: ',',
      timestamp: { header: 'X-Timestamp', format: 'unix-seconds', tolerance: 300 },
    },
  ]),
);

/** A scheme that signs the body alone, so that other libraries can sign the same bytes. */
function bare(scheme: KeyPairScheme): KeyPairScheme {
  const { algorithm, format, saltLength } = scheme;
  return {
    algorithm,
    ...(format === undefined ? {} : { format }),
    ...(saltLength === undefined ? {} : { saltLength }),
    key: {},
    over: ['$request.body'],
    encoding: 'base64url',
    header: 'X-Signature',
    value: '{signature}',
  };
}

/** Key pairs for tests, by the names of schemes. Made once, because RSA keys take long. */
export function makeKeys(name: string): {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
} {
  if (name === 'ed25519') return generateKeyPairSync('ed25519');
  if (name.startsWith('ecdsa')) return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/** Writes a key as PEM. */
export function toPem(key: KeyObject): string {
  return key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' });
}

const clock = (): number => now;
const order = p256.Point.CURVE().n;

/** Declares the tests of key pairs, with the cryptographic interface that the file imports. */
export function describeKeyPairs(): void {
  describe.each(Object.entries(keyPairSchemes))('%s', (name, scheme) => {
    const { privateKey, publicKey } = makeKeys(name);
    const other = makeKeys(name);
    const request = toSignable({ headers: { 'X-Id': 'msg_1' }, body: '{"amount":1}' });

    test('signs what it verifies, with keys in PEM and JWK', async () => {
      const forms = [
        [toPem(privateKey), toPem(publicKey)],
        [privateKey.export({ format: 'jwk' }), publicKey.export({ format: 'jwk' })],
        [
          JSON.stringify(privateKey.export({ format: 'jwk' })),
          JSON.stringify(publicKey.export({ format: 'jwk' })),
        ],
        [toPem(privateKey).replaceAll('\n', String.raw`\n`), toPem(publicKey).trim()],
      ] as readonly (readonly [string | Jwk, string | Jwk])[];
      for (const [key, published] of forms) {
        const added = await createSigner(scheme, { key, clock }).sign(request);
        expect(Object.keys(added).toSorted()).toEqual(['X-Signature', 'X-Timestamp']);
        const signed = toSignable({ headers: { 'X-Id': 'msg_1', ...added }, body: '{"amount":1}' });
        for (const keys of [[published], [toPem(other.publicKey), published]]) {
          const { verify } = createVerifier(scheme, { keys, clock });
          expect(await verify(signed)).toEqual({ ok: true, key: keys.length - 1, timestamp: now });
        }
      }
      expect(forms).toHaveLength(4);
    });

    test('refuses a signature of another key, and each part of the request that is changed', async () => {
      const added = await createSigner(scheme, { key: toPem(privateKey), clock }).sign(request);
      const headers = { 'X-Id': 'msg_1', ...added };
      const { verify } = createVerifier(scheme, { keys: [toPem(publicKey)], clock });
      const wrong = createVerifier(scheme, { keys: [toPem(other.publicKey)], clock });
      expect(await wrong.verify(toSignable({ headers, body: '{"amount":1}' }))).toEqual({
        ok: false,
        reason: 'signature-mismatch',
      });
      const refused = [
        toSignable({ headers, body: '{"amount":2}' }),
        toSignable({ headers: { ...headers, 'X-Id': 'msg_2' }, body: '{"amount":1}' }),
        toSignable({
          headers: { ...headers, 'X-Timestamp': String(now / 1000 + 1) },
          body: '{"amount":1}',
        }),
      ];
      for (const changed of refused)
        expect(await verify(changed)).toEqual({ ok: false, reason: 'signature-mismatch' });
      for (const value of ['', 'v1=', 'v1=AAAA', `v2=${'A'.repeat(86)}==`, 'v1=!'])
        expect(
          await verify(
            toSignable({ headers: { ...headers, 'X-Signature': value }, body: '{"amount":1}' }),
          ),
        ).toEqual({
          ok: false,
          reason: value === '' ? 'missing-signature' : 'malformed-signature',
        });
      expect(
        await createVerifier(scheme, {
          keys: [toPem(publicKey)],
          clock: () => now + 301_000,
        }).verify(toSignable({ headers, body: '{"amount":1}' })),
      ).toEqual({ ok: false, reason: 'timestamp-too-old' });
    });
  });

  describe('keys by their id', () => {
    const base = keyPairSchemes['ed25519'] as KeyPairScheme;
    const [firstKeys, secondKeys] = [makeKeys('ed25519'), makeKeys('ed25519')];
    const forms: Readonly<Record<string, KeyPairScheme>> = {
      'in a header': { ...base, key: { idHeader: 'X-Key-Id' } },
      'in a header that is signed': {
        ...base,
        key: { idHeader: 'X-Key-Id' },
        over: ['$request.header.x-key-id', { text: '.' }, ...base.over],
      },
      'in the signature header': { ...base, value: 'key={keyId},v1={signature}' },
      'by its place in the signature header': {
        ...base,
        value: '{keyId};{signature}',
        separator: ';',
      },
      'in quotes, beside the timestamp': {
        ...base,
        value: 'keyId="{keyId}",t={timestamp},signature="{signature}"',
        timestamp: { format: 'unix-seconds', tolerance: 300 },
      },
    };

    test.each(Object.entries(forms))('%s', async (_, scheme) => {
      const key = { id: 'key-2', key: toPem(secondKeys.privateKey) };
      const added = await createSigner(scheme, { key, clock }).sign(
        toSignable({ headers: { 'X-Id': 'msg_1' }, body: '{}' }),
      );
      const headers = { 'X-Id': 'msg_1', ...added };
      const request = toSignable({ headers, body: '{}' });
      const keys = [
        { id: 'key-1', key: toPem(firstKeys.publicKey) },
        { ...secondKeys.publicKey.export({ format: 'jwk' }), kid: 'key-2' } as Jwk,
      ];
      const { verify } = createVerifier(scheme, { keys, clock });
      expect(await verify(request)).toEqual({ ok: true, key: 1, keyId: 'key-2', timestamp: now });
      // The same key under another id is not what the request names.
      const renamed = createVerifier(scheme, {
        keys: [{ id: 'key-1', key: toPem(secondKeys.publicKey) }],
        clock,
      });
      expect(await renamed.verify(request)).toEqual({ ok: false, reason: 'unknown-key' });
      // A key without an id is used for every request.
      const unnamed = createVerifier(scheme, { keys: [toPem(secondKeys.publicKey)], clock });
      expect(await unnamed.verify(request)).toMatchObject({ ok: true, key: 0 });
      const names = JSON.stringify(headers).split('key-2').length - 1;
      expect(names).toBe(1);
      for (const id of ['__proto__', 'key-3', 'a b', 'x'.repeat(257)]) {
        const text = JSON.stringify(headers).replace('key-2', id);
        const named = toSignable({ headers: JSON.parse(text) as typeof headers, body: '{}' });
        expect(await verify(named)).toMatchObject({ ok: false });
      }
    });

    test('a key without an id signs nothing, nor one with an id that no header can carry', () => {
      const scheme = forms['in a header'] as KeyPairScheme;
      const refused = expect.objectContaining({ name: 'SigningError', code: 'missing-key-id' });
      const key = toPem(firstKeys.privateKey);
      expect(() => createSigner(scheme, { key })).toThrow(refused);
      for (const id of ['a b', 'a\r\nX: y', 'é', 'x'.repeat(257)])
        expect(() => createSigner(scheme, { key: { id, key } })).toThrow(refused);
    });

    test('a repeated id is refused', async () => {
      const scheme = forms['in a header'] as KeyPairScheme;
      const key = { id: 'key-1', key: toPem(firstKeys.privateKey) };
      const added = await createSigner(scheme, { key, clock }).sign(
        toSignable({ headers: { 'X-Id': 'msg_1' }, body: '{}' }),
      );
      const { verify } = createVerifier(scheme, {
        keys: [{ id: 'key-1', key: toPem(firstKeys.publicKey) }],
        clock,
      });
      const headers = [['X-Id', 'msg_1'], ...Object.entries(added)] as [string, string][];
      expect(await verify(toSignable({ headers, body: '{}' }))).toMatchObject({ ok: true });
      expect(
        await verify(toSignable({ headers: [...headers, ['X-Key-Id', 'key-1']], body: '{}' })),
      ).toEqual({ ok: false, reason: 'repeated-header' });
    });
  });

  describe('published vectors', () => {
    /** RFC 8032, section 7.1: tests 1 to 3. */
    const rfc8032 = [
      [
        '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
        'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
        '',
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      ],
      [
        '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
        '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        '72',
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      ],
      [
        'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
        'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
        'af82',
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
      ],
    ] as const;

    test.each(rfc8032)('Ed25519 of RFC 8032: %s', async (seed, key, message, signature) => {
      const scheme: KeyPairScheme = {
        ...bare({ ...(keyPairSchemes['ed25519'] as KeyPairScheme) }),
        key: { encoding: 'hex' },
        encoding: 'hex',
      };
      const body = Buffer.from(message, 'hex');
      const signer = createSigner(scheme, { key: seed });
      expect(await signer.sign(toSignable({ body }))).toEqual({ 'X-Signature': signature });
      const both = createSigner(scheme, { key: seed + key });
      expect(await both.sign(toSignable({ body }))).toEqual({ 'X-Signature': signature });
      const { verify } = createVerifier(scheme, { keys: [key] });
      const request = toSignable({ headers: { 'X-Signature': signature }, body });
      expect(await verify(request)).toEqual({ ok: true, key: 0 });
    });

    test('P-256 with SHA-256 of RFC 6979, appendix A.2.5', async () => {
      const point =
        '60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB67903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299';
      const bytes = Buffer.from(point, 'hex');
      const key = {
        kty: 'EC',
        crv: 'P-256',
        x: bytes.subarray(0, 32).toString('base64url'),
        y: bytes.subarray(32).toString('base64url'),
      };
      const r = 'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716';
      const s = 'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8';
      const scheme: KeyPairScheme = {
        ...bare(keyPairSchemes['ecdsa raw'] as KeyPairScheme),
        encoding: 'hex',
      };
      const { verify } = createVerifier(scheme, { keys: [key] });
      const headers = { 'X-Signature': r + s };
      expect(await verify(toSignable({ headers, body: 'sample' }))).toEqual({ ok: true, key: 0 });
      expect(await verify(toSignable({ headers, body: 'Sample' }))).toEqual({
        ok: false,
        reason: 'signature-mismatch',
      });
    });

    test('Wycheproof', async () => {
      const files = await readPublishedTests();
      let count = 0;
      const wrong: string[] = [];
      for (const { testGroups, source, ...parameters } of files)
        for (const { publicKeyPem, tests } of testGroups) {
          const scheme: KeyPairScheme = {
            ...parameters,
            key: {},
            over: ['$request.body'],
            encoding: 'hex',
            header: 'X-Signature',
            value: '{signature}',
          };
          const { verify } = createVerifier(scheme, { keys: [publicKeyPem] });
          for (const { comment, msg, sig, result } of tests) {
            const headers = { 'X-Signature': sig === '' ? '00' : sig };
            const { ok } = await verify(toSignable({ headers, body: Buffer.from(msg, 'hex') }));
            count += 1;
            // RSA with a missing NULL in its padding is "acceptable", and refused by both platforms.
            if (ok !== (result === 'valid')) wrong.push(`${source}: ${comment} (${result})`);
          }
        }
      expect(wrong).toEqual([]);
      expect(count).toBeGreaterThan(300);
    });
  });

  describe('another library', () => {
    const message = new TextEncoder().encode('{"name":"São João"}');

    test('@noble/curves, Ed25519, in both directions', async () => {
      const scheme: KeyPairScheme = {
        ...bare(keyPairSchemes['ed25519'] as KeyPairScheme),
        key: { encoding: 'base64' },
      };
      for (let round = 0; round < 20; round++) {
        const secret = ed25519.utils.randomSecretKey();
        const key = ed25519.getPublicKey(secret);
        const { verify } = createVerifier(scheme, { keys: [key] });
        const theirs = Buffer.from(ed25519.sign(message, secret)).toString('base64url');
        const request = toSignable({ headers: { 'X-Signature': theirs }, body: message });
        expect(await verify(request)).toEqual({ ok: true, key: 0 });
        const ours = await createSigner(scheme, { key: secret }).sign(
          toSignable({ body: message }),
        );
        const signature = Buffer.from(ours['X-Signature'] ?? '', 'base64url');
        expect(ed25519.verify(signature, message, key)).toBe(true);
        expect(ed25519.verify(signature, Uint8Array.of(...message, 0), key)).toBe(false);
      }
    });

    test.each(['raw', 'der'] as const)(
      '@noble/curves, P-256 %s, in both directions, with low and high numbers',
      async (format) => {
        const scheme = bare(keyPairSchemes[`ecdsa ${format}`] as KeyPairScheme);
        const kinds = new Set<boolean>();
        for (let round = 0; round < 20; round++) {
          const { privateKey, publicKey } = makeKeys('ecdsa');
          const jwk = privateKey.export({ format: 'jwk' });
          const secret = Buffer.from(jwk.d ?? '', 'base64url');
          const key = p256.getPublicKey(secret);
          const { verify } = createVerifier(scheme, { keys: [toPem(publicKey)] });
          const raw = p256.sign(message, secret, { lowS: round % 2 === 0 });
          const theirs = p256.Signature.fromBytes(raw);
          kinds.add(theirs.s > order / 2n);
          const signatureBytes = Buffer.from(theirs.toBytes(format === 'der' ? 'der' : 'compact'));
          const request = toSignable({
            headers: { 'X-Signature': signatureBytes.toString('base64url') },
            body: message,
          });
          expect(await verify(request)).toEqual({ ok: true, key: 0 });
          const ours = await createSigner(scheme, { key: toPem(privateKey) }).sign(
            toSignable({ body: message }),
          );
          const signature = Buffer.from(ours['X-Signature'] ?? '', 'base64url');
          const options = { lowS: false, format: format === 'der' ? 'der' : 'compact' } as const;
          expect(p256.verify(signature, message, key, options)).toBe(true);
          expect(p256.verify(signature, Uint8Array.of(...message, 0), key, options)).toBe(false);
        }
        expect(kinds).toEqual(new Set([true, false]));
      },
    );

    describe.each([
      ['EdDSA', 'ed25519'],
      ['ES256', 'ecdsa raw'],
      ['PS256', 'rsa-pss'],
      ['RS256', 'rsa-v1_5'],
    ])('jose, %s', (alg, name) => {
      const scheme = bare(keyPairSchemes[name] as KeyPairScheme);
      let pair: GenerateKeyPairResult;
      beforeAll(async () => {
        pair = await generateKeyPair(alg, {
          extractable: true,
          ...(alg === 'EdDSA' ? { crv: 'Ed25519' } : {}),
        });
      });

      test('in both directions', async () => {
        const token = await new CompactSign(message)
          .setProtectedHeader({ alg })
          .sign(pair.privateKey);
        const [header = '', payload = '', signature = ''] = token.split('.');
        const body = `${header}.${payload}`;
        const keys = [await exportSPKI(pair.publicKey), (await exportJWK(pair.publicKey)) as Jwk];
        for (const key of keys) {
          const { verify } = createVerifier(scheme, { keys: [key] });
          expect(
            await verify(toSignable({ headers: { 'X-Signature': signature }, body })),
          ).toMatchObject({ ok: true });
          expect(
            await verify(toSignable({ headers: { 'X-Signature': signature }, body: `${body}A` })),
          ).toEqual({ ok: false, reason: 'signature-mismatch' });
        }
        const signer = createSigner(scheme, { key: await exportPKCS8(pair.privateKey) });
        const ours = (await signer.sign(toSignable({ body })))['X-Signature'] ?? '';
        const verified = await compactVerify(`${body}.${ours}`, pair.publicKey);
        expect(verified.payload).toEqual(message);
      });
    });
  });

  test('the other number of an ECDSA signature is valid too, so that nothing may be recognized by it', async () => {
    const { privateKey, publicKey } = makeKeys('ecdsa');
    const body = '{"id":"evt_1"}';
    for (const format of ['raw', 'der'] as const) {
      const scheme = bare(keyPairSchemes[`ecdsa ${format}`] as KeyPairScheme);
      const raw = bare(keyPairSchemes['ecdsa raw'] as KeyPairScheme);
      const signed = await createSigner(raw, { key: toPem(privateKey) }).sign(toSignable({ body }));
      const { r, s } = p256.Signature.fromBytes(
        Buffer.from(signed['X-Signature'] ?? '', 'base64url'),
      );
      const { verify } = createVerifier(scheme, { keys: [toPem(publicKey)] });
      const texts = [s, order - s].map((number) => {
        const bytes = new p256.Signature(r, number).toBytes('compact');
        return Buffer.from(format === 'der' ? toDerSignature(bytes) : bytes).toString('base64url');
      });
      expect(new Set(texts).size).toBe(2);
      for (const text of texts) {
        const headers = { 'X-Signature': text };
        expect(await verify(toSignable({ headers, body }))).toEqual({ ok: true, key: 0 });
        expect(await verify(toSignable({ headers, body: `${body} ` }))).toMatchObject({
          ok: false,
        });
      }
    }
  });
}
