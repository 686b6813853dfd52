import { decodeBytes, encodeBytes } from './encoding.ts';
import type { Hmac } from './hmac.ts';
import type { SignatureAlgorithm } from './scheme.ts';

/** Signs with WebCrypto. */
export const createHmacSigner: Hmac['createHmacSigner'] = ({ algorithm, encoding }, bytes) => {
  const toKey = keyImporter(algorithm, bytes, 'sign');
  return async (pieces) => {
    // Copies the pieces at once, so that later changes to the body have no effect.
    const input = new Blob(pieces as BlobPart[]).arrayBuffer();
    const digest = await crypto.subtle.sign('HMAC', await toKey(), await input);
    return encodeBytes(new Uint8Array(digest), encoding);
  };
};

/** Compares with WebCrypto, which does it in constant time. */
export const createHmacMatcher: Hmac['createHmacMatcher'] = ({ algorithm, encoding }, bytes) => {
  const toKey = keyImporter(algorithm, bytes, 'verify');
  return async (pieces, signatures) => {
    const input = new Blob(pieces as BlobPart[]).arrayBuffer();
    for (const signature of signatures) {
      const digest = decodeBytes(signature, encoding);
      if (digest && (await crypto.subtle.verify('HMAC', await toKey(), digest, await input)))
        return true;
    }
    return false;
  };
};

/**
 * Returns a function that imports the key on its first call. Some platforms forbid asynchronous work while a module is
 * loaded.
 */
function keyImporter(
  algorithm: SignatureAlgorithm,
  key: Uint8Array,
  usage: 'sign' | 'verify',
): () => Promise<CryptoKey> {
  const bytes = Uint8Array.from(key);
  const hash = algorithm.replace('hmac-sha', 'SHA-');
  let imported: Promise<CryptoKey> | undefined;
  return () =>
    (imported ??= crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, [usage]));
}
