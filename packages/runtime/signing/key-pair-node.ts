import {
  constants,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  type SignKeyObjectInput,
  verify,
} from 'node:crypto';
import type { KeyPairParameters, KeyPairs } from './key-pair.ts';
import { toKeyError } from './key-error.ts';

/** Signs with `node:crypto`, and returns signatures synchronously. */
export const createKeyPairSigner: KeyPairs['createKeyPairSigner'] = (parameters, data) => {
  const key = importKey(() =>
    'jwk' in data
      ? createPrivateKey({ key: data.jwk, format: 'jwk' })
      : createPrivateKey({ key: Buffer.from(data.pkcs8), format: 'der', type: 'pkcs8' }),
  );
  const hash = hashOf(parameters);
  const input = toInput(parameters, key);
  return (bytes) => sign(hash, bytes, input);
};

/** Verifies with `node:crypto`, and returns results synchronously. */
export const createKeyPairMatcher: KeyPairs['createKeyPairMatcher'] = (parameters, data) => {
  const key = importKey(() => createPublicKey({ key: { ...data }, format: 'jwk' }));
  const hash = hashOf(parameters);
  const input = toInput(parameters, key);
  return (bytes, signature) => verify(hash, bytes, input, signature);
};

function importKey(create: () => KeyObject): KeyObject {
  try {
    return create();
  } catch {
    // Without the cause, whose text could contain a part of the key.
    throw toKeyError('is not a key that this platform can import');
  }
}

/** Ed25519 hashes as a part of the algorithm. */
function hashOf({ algorithm }: KeyPairParameters): string | null {
  return algorithm === 'ed25519' ? null : 'sha256';
}

function toInput(
  { algorithm, saltLength = 0 }: KeyPairParameters,
  key: KeyObject,
): SignKeyObjectInput {
  switch (algorithm) {
    case 'ed25519':
      return { key };
    case 'ecdsa-p256-sha256':
      return { key, dsaEncoding: 'ieee-p1363' };
    case 'rsa-pss-sha256':
      return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
    default:
      return { key, padding: constants.RSA_PKCS1_PADDING };
  }
}
