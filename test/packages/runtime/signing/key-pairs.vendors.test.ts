import { generateKeyPairSync, type KeyObject, sign, verify as verifySignature } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { verifyKey } from 'discord-interactions';
import { TelnyxWebhook, TelnyxWebhookVerificationError } from 'telnyx/lib/webhooks';
import { describe, expect, test } from 'vitest';
import {
  createSigner,
  createVerifier,
  type KeyPairScheme,
} from '../../../../packages/runtime/signing/key-pairs.ts';
import { toPem } from './key-pair-suite.ts';
import { keyPairVendors, readKeyPairScheme } from './read-scheme.ts';
import { toSignable } from './signable.ts';

/** The key pair of a vendor, and its own library or published algorithm. */
interface Vendor {
  /** The public key as the vendor shows it. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** The public key of another account. */
  readonly otherKey: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sign: (body: string) => Readonly<Record<string, string>>;
  readonly verify: (
    body: string,
    headers: Readonly<Record<string, string>>,
  ) => boolean | Promise<boolean>;
}

const seconds = (): string => String(Math.floor(Date.now() / 1000));
const seed = ed25519.utils.randomSecretKey();
const point = ed25519.getPublicKey(seed);
const otherPoint = ed25519.getPublicKey(ed25519.utils.randomSecretKey());
const write = (bytes: Uint8Array, encoding: 'hex' | 'base64'): string =>
  Buffer.from(bytes).toString(encoding);
const read = (text: string | undefined, encoding: 'hex' | 'base64'): Uint8Array =>
  Uint8Array.from(Buffer.from(text ?? '', encoding));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

const signRsa = (body: string, key: KeyObject): string =>
  sign('RSA-SHA256', Buffer.from(body), key).toString('base64');

const table: Readonly<Record<string, Vendor>> = {
  discord: {
    publicKey: write(point, 'hex'),
    privateKey: write(seed, 'hex'),
    otherKey: write(otherPoint, 'hex'),
    sign(body) {
      const timestamp = seconds();
      const signature = ed25519.sign(bytesOf(timestamp + body), seed);
      return {
        'X-Signature-Ed25519': write(signature, 'hex'),
        'X-Signature-Timestamp': timestamp,
      };
    },
    verify: async (body, headers) =>
      await verifyKey(
        body,
        headers['X-Signature-Ed25519'] ?? '',
        headers['X-Signature-Timestamp'] ?? '',
        write(point, 'hex'),
      ),
  },
  telnyx: {
    publicKey: write(point, 'base64'),
    privateKey: write(seed, 'base64'),
    otherKey: write(otherPoint, 'base64'),
    sign(body) {
      const timestamp = seconds();
      const signature = ed25519.sign(bytesOf(`${timestamp}|${body}`), seed);
      return {
        'telnyx-signature-ed25519': write(signature, 'base64'),
        'telnyx-timestamp': timestamp,
      };
    },
    verify: async (body, headers) => {
      try {
        await new TelnyxWebhook(write(point, 'base64')).verify(body, headers);
        return true;
      } catch (error) {
        if (error instanceof TelnyxWebhookVerificationError) return false;
        throw error;
      }
    },
  },
  'standard-webhooks-v1a': {
    publicKey: `whpk_${write(point, 'base64')}`,
    privateKey: `whsk_${write(Uint8Array.of(...seed, ...point), 'base64')}`,
    otherKey: `whpk_${write(otherPoint, 'base64')}`,
    headers: { 'webhook-id': 'msg_1' },
    sign(body) {
      const timestamp = seconds();
      const signature = ed25519.sign(bytesOf(`msg_1.${timestamp}.${body}`), seed);
      return {
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,AAAA v1a,${write(signature, 'base64')}`,
      };
    },
    verify: (body, headers) =>
      ed25519.verify(
        read(headers['webhook-signature']?.replace('v1a,', ''), 'base64'),
        bytesOf(`msg_1.${headers['webhook-timestamp'] ?? ''}.${body}`),
        point,
      ),
  },
  woovi: {
    publicKey: toPem(rsa.publicKey),
    privateKey: toPem(rsa.privateKey),
    otherKey: toPem(otherRsa.publicKey),
    sign: (body) => ({ 'x-webhook-signature': signRsa(body, rsa.privateKey) }),
    verify: (body, headers) =>
      verifySignature(
        'RSA-SHA256',
        Buffer.from(body),
        rsa.publicKey,
        read(headers['x-webhook-signature'], 'base64'),
      ),
  },
};

const bodies = ['{"id":"evt_1"}', '{"name":"São João ☃ 😀","at":"a/b"}', '{}', '[]'];
const schemes = new Map<string, KeyPairScheme>(
  await Promise.all(
    keyPairVendors.map(async (vendor) => [vendor, await readKeyPairScheme(vendor)] as const),
  ),
);

test('every scheme in the folder is compared with its vendor', () => {
  expect(Object.keys(table).toSorted()).toEqual(keyPairVendors);
});

describe.each(keyPairVendors)('%s', (name) => {
  const vendor = table[name] as Vendor;
  const scheme = schemes.get(name) as KeyPairScheme;

  test.each(bodies)('verifies what the vendor signs: %s', async (body) => {
    const headers = { ...vendor.headers, ...vendor.sign(body) };
    const { verify } = createVerifier(scheme, { keys: [vendor.publicKey] });
    expect(await verify(toSignable({ headers, body }))).toMatchObject({ ok: true, key: 0 });
    expect(await verify(toSignable({ headers, body: `${body} ` }))).toEqual({
      ok: false,
      reason: 'signature-mismatch',
    });
  });

  test.each(bodies)('signs what the vendor verifies: %s', async (body) => {
    const added = await createSigner(scheme, { key: vendor.privateKey }).sign(
      toSignable({ headers: vendor.headers ?? {}, body }),
    );
    const headers = { ...vendor.headers, ...added };
    expect(await vendor.verify(body, headers)).toBe(true);
    expect(await vendor.verify(`${body} `, headers)).toBe(false);
  });

  test('tells which of the keys was used while they rotate', async () => {
    const headers = { ...vendor.headers, ...vendor.sign('{}') };
    const { verify } = createVerifier(scheme, { keys: [vendor.otherKey, vendor.publicKey] });
    expect(await verify(toSignable({ headers, body: '{}' }))).toMatchObject({ ok: true, key: 1 });
    const { verify: refuse } = createVerifier(scheme, { keys: [vendor.otherKey] });
    expect(await refuse(toSignable({ headers, body: '{}' }))).toMatchObject({ ok: false });
  });
});

test("the RSA key of woovi's documentation is refused, because it has 1024 bits", () => {
  const body =
    'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC/+NtIkjzevvqD+I3MMv3bLXDtpvxBjY4BsRrSdca3rtAwMcRYYvxSnd7jagVLpctMiOxQO8ieUCKLSWHpsMAjO/zZWMKbqoG8MNpi/u3fp6zz0mcHCOSqYsPUUG19buW8bis5ZZ2IZgBObWSpTvJ0cnj6HKBAA82Jln+lGwS1MwIDAQAB';
  const key = `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----\n`;
  const scheme = schemes.get('woovi') as KeyPairScheme;
  expect(() => createVerifier(scheme, { keys: [key] })).toThrow(
    expect.objectContaining({
      code: 'malformed-key',
      message: expect.stringContaining('1024 bits'),
    }),
  );
});
