import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createSigner as createHmacSigner } from '../../../../packages/runtime/signing/index.ts';
import {
  type IdentifiedKey,
  type Jwk,
  type KeyMaterial,
  type KeyPairScheme,
  SigningError,
  createKeyPairMatcher,
  createSigner,
  createVerifier,
} from '../../../../packages/runtime/signing/key-pairs.ts';
import { withoutNode } from '../without-node.ts';
import { keyPairSchemes, toPem } from './key-pair-suite.ts';

const scheme = (name: string): KeyPairScheme => keyPairSchemes[name] as KeyPairScheme;
const edwards = generateKeyPairSync('ed25519');
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
const almost = generateKeyPairSync('rsa', { modulusLength: 2040 });
const pssOnly = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
const otherEdwards = generateKeyPairSync('ed448');
const toJwk = ({ publicKey }: { readonly publicKey: typeof rsa.publicKey }): Jwk =>
  publicKey.export({ format: 'jwk' }) as Jwk;

type Refused = readonly [string, string, KeyMaterial | IdentifiedKey, string?];

const publicKeys: readonly Refused[] = [
  ['nothing', 'ed25519', undefined as unknown as string, 'missing-key'],
  ['an empty text', 'ed25519', ' \n', 'missing-key'],
  ['a text', 'ed25519', 'secret'],
  ['a private key', 'ed25519', toPem(edwards.privateKey)],
  ['a private JWK', 'ed25519', toJwk({ publicKey: edwards.privateKey })],
  ['a symmetric JWK', 'ed25519', { kty: 'oct', k: 'c2VjcmV0' }],
  ['a P-256 key for Ed25519', 'ed25519', toPem(curve.publicKey)],
  ['an Ed448 key for Ed25519', 'ed25519', toPem(otherEdwards.publicKey)],
  ['an RSA key for ECDSA', 'ecdsa raw', toPem(rsa.publicKey)],
  ['an RSA JWK for ECDSA', 'ecdsa raw', toJwk(rsa)],
  ['a P-384 key for P-256', 'ecdsa der', toPem(otherCurve.publicKey)],
  ['a P-384 JWK for P-256', 'ecdsa der', toJwk(otherCurve)],
  ['an Ed25519 key for RSA', 'rsa-pss', toPem(edwards.publicKey)],
  ['a key for PSS with parameters', 'rsa-pss', toPem(pssOnly.publicKey)],
  ['an RSA key of 1,024 bits', 'rsa-v1_5', toPem(short.publicKey)],
  ['an RSA key of 2,040 bits', 'rsa-v1_5', toPem(almost.publicKey)],
  ['an RSA JWK of 1,024 bits', 'rsa-pss', toJwk(short)],
  ['an RSA JWK that pretends to be long', 'rsa-pss', { ...toJwk(short), n: 'A'.repeat(300) }],
  ['an RSA JWK of 16,384 bits', 'rsa-pss', { ...toJwk(rsa), n: `_${'A'.repeat(2730)}` }],
  ['an RSA JWK with the exponent 1', 'rsa-pss', { ...toJwk(rsa), e: 'AQ' }],
  ['an RSA JWK with an even exponent', 'rsa-pss', { ...toJwk(rsa), e: 'AQAC' }],
  ['an RSA JWK with a long exponent', 'rsa-pss', { ...toJwk(rsa), e: 'AQAAAAAB' }],
  ['a JWK for encryption', 'rsa-pss', { ...toJwk(rsa), use: 'enc' }],
  ['a JWK for other operations', 'rsa-pss', { ...toJwk(rsa), key_ops: ['encrypt'] }],
  ['a JWK of another algorithm', 'rsa-pss', { ...toJwk(rsa), alg: 'RS256' }],
  ['a JWK without a coordinate', 'ecdsa raw', { ...toJwk(curve), y: undefined }],
  ['a JWK with Base64', 'ecdsa raw', { ...toJwk(curve), x: '+'.repeat(43) }],
  ['a JWK that is not JSON', 'ecdsa raw', '{"kty":'],
  ['PEM of PKCS #1', 'rsa-v1_5', rsa.publicKey.export({ format: 'pem', type: 'pkcs1' })],
  ['PEM with two keys', 'ed25519', toPem(edwards.publicKey) + toPem(edwards.publicKey)],
  ['PEM without its end', 'ed25519', toPem(edwards.publicKey).slice(0, -20)],
  ['PEM with another end', 'ed25519', toPem(edwards.publicKey).replace('END PUBLIC', 'END SECRET')],
  ['PEM that is not DER', 'ed25519', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'],
  ['bytes for ECDSA', 'ecdsa raw', new Uint8Array(32)],
  ['31 bytes for Ed25519', 'ed25519', new Uint8Array(31)],
  ['an empty id', 'ed25519', { id: '', key: toPem(edwards.publicKey) }],
];

const privateKeys: readonly Refused[] = [
  ['an empty text', 'ed25519', '', 'missing-key'],
  ['a public key', 'ed25519', toPem(edwards.publicKey)],
  ['a public JWK', 'ed25519', toJwk(edwards)],
  ['a symmetric JWK', 'ed25519', { kty: 'oct', k: 'c2VjcmV0' }],
  ['an RSA key of 1,024 bits', 'rsa-v1_5', toPem(short.privateKey)],
  ['an RSA JWK of 1,024 bits', 'rsa-v1_5', toJwk({ publicKey: short.privateKey })],
  ['an RSA key for ECDSA', 'ecdsa raw', toPem(rsa.privateKey)],
  ['a P-384 key', 'ecdsa raw', toPem(otherCurve.privateKey)],
  [
    'an encrypted key',
    'ed25519',
    edwards.privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'a',
    }),
  ],
  ['PEM of SEC 1', 'ecdsa raw', curve.privateKey.export({ format: 'pem', type: 'sec1' })],
];

function withCode([title, name, key, code = 'malformed-key']: Refused): readonly [
  string,
  string,
  KeyMaterial | IdentifiedKey,
  string,
] {
  return [title, name, key, code];
}

describe('at creation', () => {
  test.each(publicKeys.map(withCode))('a verifier refuses %s', (_, name, key, code) => {
    expect(() => createVerifier(scheme(name), { keys: [key] })).toThrow(
      expect.objectContaining({ name: 'SigningError', code }),
    );
  });

  test.each(privateKeys.map(withCode))('a signer refuses %s', (_, name, key, code) => {
    expect(() => createSigner(scheme(name), { key })).toThrow(
      expect.objectContaining({ name: 'SigningError', code }),
    );
  });

  test.each<readonly [string, object]>([
    ['an algorithm of HMAC', { algorithm: 'hmac-sha256' }],
    ['no algorithm', { algorithm: 'none' }],
    ['ECDSA without a format', { algorithm: 'ecdsa-p256-sha256', format: undefined }],
    ['another format', { algorithm: 'ecdsa-p256-sha256', format: 'jose' }],
    ['a format for Ed25519', { format: 'raw' }],
    ['PSS without a salt length', { algorithm: 'rsa-pss-sha256' }],
    ['a negative salt length', { algorithm: 'rsa-pss-sha256', saltLength: -1 }],
    ['a salt that is too long', { algorithm: 'rsa-pss-sha256', saltLength: 223 }],
    ['half a byte of salt', { algorithm: 'rsa-pss-sha256', saltLength: 31.5 }],
    ['a salt length without PSS', { saltLength: 32 }],
    ['bytes of an RSA key', { algorithm: 'rsa-v1_5-sha256', key: { encoding: 'hex' } }],
    ['a prefix without an encoding', { key: { prefix: 'whpk_' } }],
    ['the id of the key twice', { key: { idHeader: 'X-Key' }, value: 'k={keyId},v1={signature}' }],
    ['the id in the header of the signature', { key: { idHeader: 'x-signature' } }],
    ['the id in the header of the timestamp', { key: { idHeader: 'x-timestamp' } }],
    ['the id in one item with the signature', { value: '{keyId}:{signature}' }],
    ['two ids', { value: '{keyId},{keyId},{signature}' }],
  ])('a scheme with %s is refused', (_, changes) => {
    const wrong = { ...scheme('ed25519'), ...changes } as KeyPairScheme;
    const refused = expect.objectContaining({ name: 'SigningError', code: 'invalid-scheme' });
    expect(() => createSigner(wrong, { key: toPem(edwards.privateKey) })).toThrow(refused);
    expect(() => createVerifier(wrong, { keys: [toPem(edwards.publicKey)] })).toThrow(refused);
  });

  test('no scheme with a key pair is one with a shared secret', () => {
    const secret = toPem(rsa.publicKey);
    for (const scheme of Object.values(keyPairSchemes))
      expect(() => createHmacSigner(scheme as never, { key: secret })).toThrow(
        expect.objectContaining({ code: 'invalid-scheme' }),
      );
  });

  test('a verifier without keys is refused', () => {
    for (const keys of [[], undefined, {}])
      expect(() => createVerifier(scheme('ed25519'), { keys: keys as never })).toThrow(
        expect.objectContaining({ code: 'missing-key' }),
      );
  });
});

test('a point that is not on the curve is refused with both interfaces', async () => {
  const key = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) } as const;
  const parameters = { algorithm: 'ecdsa-p256-sha256' } as const;
  const refused = expect.objectContaining({ name: 'SigningError', code: 'malformed-key' });
  const [input, signature] = [new Uint8Array(1), new Uint8Array(64)];
  expect(() => createKeyPairMatcher(parameters, key)).toThrow(refused);
  const matches = withoutNode(() => createKeyPairMatcher(parameters, key));
  await expect(matches(input, signature)).rejects.toEqual(refused);
});

test('no signer, verifier or error shows a key', () => {
  const keys = [toPem(edwards.privateKey), toPem(short.privateKey), toPem(curve.privateKey)];
  const shown: unknown[] = [
    createSigner(scheme('ed25519'), { key: keys[0] ?? '' }),
    createVerifier(scheme('ed25519'), { keys: [toPem(edwards.publicKey)] }),
  ];
  for (const key of keys)
    for (const act of [
      () => createSigner(scheme('rsa-pss'), { key }),
      () => createVerifier(scheme('ed25519'), { keys: [key] }),
      () => createSigner(scheme('ed25519'), { key: key.slice(0, -9) }),
    ])
      try {
        act();
      } catch (error) {
        expect(error).toBeInstanceOf(SigningError);
        shown.push(error);
      }
  expect(shown).toHaveLength(11);
  for (const object of shown) {
    const text =
      inspect(object, { showHidden: true, depth: 9, getters: true }) + JSON.stringify(object);
    for (const key of keys) expect(text).not.toContain(key.split('\n')[1]?.slice(20));
  }
});
