import { builtinModule, type NodeModules } from '../base/platform.ts';
import type { MaybePromise } from './hmac.ts';
import { toKeyError } from './key-error.ts';
import type { KeyPairScheme } from './key-pair-scheme.ts';
import { SigningError } from './signing-error.ts';

/** What decides how bytes are signed. */
type KeyPairParameters = Pick<KeyPairScheme, 'algorithm' | 'saltLength'>;

/** A public key with the members that its algorithm needs, and no other. */
export type PublicKeyData =
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string };

/** A private key, as PKCS #8 or as the members of a JWK. */
export type PrivateKeyData =
  | { readonly pkcs8: Uint8Array<ArrayBuffer> }
  | { readonly jwk: Readonly<Record<string, string>> };

/**
 * Creates a function that signs. ECDSA signatures are the two numbers with 32 bytes each. With `node:crypto`, it returns
 * no promise.
 * @throws SigningError `malformed-key` for a key that cannot be imported. With WebCrypto, the first result rejects with it
 */
export function createKeyPairSigner(
  parameters: KeyPairParameters,
  data: PrivateKeyData,
): (input: Uint8Array<ArrayBuffer>) => MaybePromise<Uint8Array> {
  const node = builtinModule('node:crypto');
  if (node !== undefined) {
    const key = importNow(() =>
      node.createPrivateKey(
        'jwk' in data
          ? { key: data.jwk, format: 'jwk' }
          : { key: data.pkcs8, format: 'der', type: 'pkcs8' },
      ),
    );
    const [hash, options] = toNodeOptions(node, parameters);
    const input = { ...options, key };
    return (bytes) => node.sign(hash, bytes, input);
  }
  const toKey = keyImporter(
    (algorithm) =>
      'jwk' in data
        ? crypto.subtle.importKey('jwk', data.jwk, algorithm, false, ['sign'])
        : crypto.subtle.importKey('pkcs8', data.pkcs8, algorithm, false, ['sign']),
    parameters,
  );
  return async (input) =>
    new Uint8Array(await crypto.subtle.sign(toOperation(parameters), await toKey(), input));
}

/**
 * Creates a function that verifies. ECDSA signatures are the two numbers with 32 bytes each. With `node:crypto`, it
 * returns no promise.
 * @throws SigningError `malformed-key` for a key that cannot be imported. With WebCrypto, the first result rejects with it
 */
export function createKeyPairMatcher(
  parameters: KeyPairParameters,
  data: PublicKeyData,
): (input: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>) => MaybePromise<boolean> {
  const node = builtinModule('node:crypto');
  if (node !== undefined) {
    const key = importNow(() => node.createPublicKey({ key: { ...data }, format: 'jwk' }));
    const [hash, options] = toNodeOptions(node, parameters);
    const input = { ...options, key };
    return (bytes, signature) => node.verify(hash, bytes, input, signature);
  }
  const toKey = keyImporter(
    (algorithm) => crypto.subtle.importKey('jwk', { ...data }, algorithm, false, ['verify']),
    parameters,
  );
  return async (input, signature) =>
    await crypto.subtle.verify(toOperation(parameters), await toKey(), signature, input);
}

function importNow<Key>(create: () => Key): Key {
  try {
    return create();
  } catch {
    // Without the cause, whose text could contain a part of the key.
    throw toKeyError('is not a key that this platform can import');
  }
}

/** Returns the hash and the options of `node:crypto`. Ed25519 hashes as a part of the algorithm. */
function toNodeOptions(
  { constants }: NodeModules['node:crypto'],
  { algorithm, saltLength = 0 }: KeyPairParameters,
): readonly [hash: string | null, options: object] {
  switch (algorithm) {
    case 'ed25519':
      return [null, {}];
    case 'ecdsa-p256-sha256':
      return ['sha256', { dsaEncoding: 'ieee-p1363' }];
    case 'rsa-pss-sha256':
      return ['sha256', { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }];
    default:
      return ['sha256', { padding: constants.RSA_PKCS1_PADDING }];
  }
}

/**
 * Returns a function that imports the key into WebCrypto on its first call. Some platforms forbid asynchronous work while
 * a module is loaded.
 */
function keyImporter(
  importKey: (algorithm: Algorithm) => Promise<CryptoKey>,
  parameters: KeyPairParameters,
): () => Promise<CryptoKey> {
  let imported: Promise<CryptoKey> | undefined;
  return () =>
    (imported ??= importKey(toImport(parameters)).catch((error: unknown) => {
      if ((error as Partial<Error>).name === 'NotSupportedError')
        throw new SigningError(
          'unsupported-platform',
          `This platform does not support ${parameters.algorithm} in WebCrypto.`,
        );
      // Without the cause, whose text could contain a part of the key.
      throw toKeyError('is not a key that this platform can import');
    }));
}

interface Algorithm {
  readonly name: string;
  readonly [member: string]: string | number;
}

function toImport({ algorithm }: KeyPairParameters): Algorithm {
  switch (algorithm) {
    case 'ed25519':
      return { name: 'Ed25519' };
    case 'ecdsa-p256-sha256':
      return { name: 'ECDSA', namedCurve: 'P-256' };
    case 'rsa-pss-sha256':
      return { name: 'RSA-PSS', hash: 'SHA-256' };
    default:
      return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  }
}

function toOperation({ algorithm, saltLength = 0 }: KeyPairParameters): Algorithm {
  switch (algorithm) {
    case 'ecdsa-p256-sha256':
      return { name: 'ECDSA', hash: 'SHA-256' };
    case 'rsa-pss-sha256':
      return { name: 'RSA-PSS', saltLength };
    default:
      return toImport({ algorithm });
  }
}
