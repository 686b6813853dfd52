import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import {
  isKeyPairScheme,
  type Jwk,
  type KeyPairScheme,
} from '@countersign/runtime/signing/key-pairs';
import type { Service, ServedScheme } from './service.ts';
import { type Settle, toSignatureScheme } from './sending/signature-scheme.ts';
import { SimulatorError } from './sending/simulator-error.ts';

/** A key pair of the simulated service. */
export interface KeyPair {
  /** The id that deliveries name, and that the set of public keys has. */
  readonly id: string;
  /** A JWK as JSON text, or the text that the user gave. */
  readonly privateKey: string;
  readonly publicKey: Jwk;
}

/** The path at which a simulator publishes its public keys, where the contract states an address of them. */
export const jwksPath = '/.well-known/jwks.json';

/** Returns the scheme of a signature with a key pair; `undefined` for a scheme with a secret, or without a signature. */
export function keyPairSchemeOf(
  { signature }: ServedScheme,
  settle: Settle,
): KeyPairScheme | undefined {
  if (signature === undefined) return undefined;
  if (!isKeyPairScheme({ algorithm: settle(signature.algorithm) })) return undefined;
  const scheme = toSignatureScheme(signature, settle);
  return isKeyPairScheme(scheme) ? scheme : undefined;
}

/** Creates a key pair of its own for an algorithm. It differs in each run. */
export function makeKeyPair({ algorithm }: Pick<KeyPairScheme, 'algorithm'>, id: string): KeyPair {
  const privateKey = generate(algorithm);
  return {
    id,
    privateKey: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: id }),
    publicKey: toPublic(privateKey, id),
  };
}

function generate(algorithm: KeyPairScheme['algorithm']): KeyObject {
  if (algorithm === 'ed25519') return generateKeyPairSync('ed25519').privateKey;
  return algorithm === 'ecdsa-p256-sha256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

/**
 * Returns the key pair of a private key that the user gave: PEM, a JWK as JSON text, or text in the encoding of the scheme.
 * @param id the id of a key that has none of its own
 * @throws SimulatorError `not-signable`
 */
export function readKeyPair(text: string, scheme: KeyPairScheme, id: string): KeyPair {
  try {
    const trimmed = text.trim();
    if (trimmed.startsWith('{')) {
      const jwk = JSON.parse(trimmed) as Jwk & { readonly kty: string };
      const keyId = typeof jwk.kid === 'string' && jwk.kid !== '' ? jwk.kid : id;
      const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
      return { id: keyId, privateKey: text, publicKey: toPublic(key, keyId) };
    }
    const key = trimmed.startsWith('-----')
      ? createPrivateKey(trimmed.replaceAll(String.raw`\n`, '\n'))
      : createPrivateKey({ key: toPkcs8(trimmed, scheme), format: 'der', type: 'pkcs8' });
    return { id, privateKey: text, publicKey: toPublic(key, id) };
  } catch {
    // Without the cause, whose text could contain a part of the key.
    throw new SimulatorError(
      'not-signable',
      `The key of the signature is not a private key for ${scheme.algorithm}: pass PEM or a JWK.`,
    );
  }
}

/** Returns a bare Ed25519 key as PKCS #8 (RFC 8410, section 7). */
function toPkcs8(text: string, { key: { encoding, privatePrefix = '' } }: KeyPairScheme): Buffer {
  const bare = text.startsWith(privatePrefix) ? text.slice(privatePrefix.length) : text;
  const seed = Buffer.from(bare, encoding ?? 'hex').subarray(0, 32);
  return Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
}

function toPublic(privateKey: KeyObject, kid: string): Jwk {
  return { ...(createPublicKey(privateKey).export({ format: 'jwk' }) as Jwk), kid, use: 'sig' };
}

/** Returns whether the contract states an address of the public keys of a signature. */
export function publishesKeys({ security }: Pick<Service, 'security'>): boolean {
  return security.some(({ signature }) => signature?.key.jwks !== undefined);
}
