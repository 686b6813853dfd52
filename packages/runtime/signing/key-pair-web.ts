import { toKeyError } from './key-error.ts';
import type { KeyPairParameters, KeyPairs } from './key-pair.ts';
import { SigningError } from './signing-error.ts';

/** Signs with WebCrypto. */
export const createKeyPairSigner: KeyPairs['createKeyPairSigner'] = (parameters, data) => {
  const toKey = keyImporter(
    (algorithm) =>
      'jwk' in data
        ? crypto.subtle.importKey('jwk', data.jwk, algorithm, false, ['sign'])
        : crypto.subtle.importKey('pkcs8', data.pkcs8, algorithm, false, ['sign']),
    parameters,
  );
  return async (input) =>
    new Uint8Array(await crypto.subtle.sign(toOperation(parameters), await toKey(), input));
};

/** Verifies with WebCrypto. */
export const createKeyPairMatcher: KeyPairs['createKeyPairMatcher'] = (parameters, data) => {
  const toKey = keyImporter(
    (algorithm) => crypto.subtle.importKey('jwk', { ...data }, algorithm, false, ['verify']),
    parameters,
  );
  return async (input, signature) =>
    await crypto.subtle.verify(toOperation(parameters), await toKey(), signature, input);
};

/**
 * Returns a function that imports the key on its first call. Some platforms forbid asynchronous work while a module is
 * loaded.
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
