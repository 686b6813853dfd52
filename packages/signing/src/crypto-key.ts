import type { SignatureAlgorithm } from './scheme.ts';

/**
 * Returns a function that imports the key into WebCrypto on its first call. Some platforms forbid asynchronous work
 * while a module is loaded.
 */
export function toCryptoKey(
  algorithm: SignatureAlgorithm,
  key: Uint8Array,
): () => Promise<CryptoKey> {
  const bytes = Uint8Array.from(key);
  const hash = algorithm.replace('hmac-sha', 'SHA-');
  let imported: Promise<CryptoKey> | undefined;
  return () =>
    (imported ??= crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, [
      'sign',
      'verify',
    ]));
}
