import { toCryptoKey } from './crypto-key.ts';
import { decodeBytes } from './encoding.ts';
import type { SignatureScheme } from './scheme.ts';

/**
 * Returns a function that imports a key for WebCrypto on its first call.
 * @param key text in the scheme's encoding, with or without its prefix, or bytes
 * @throws TypeError for a key that is empty or not in the scheme's encoding
 */
export function readKey(
  { algorithm, key: { encoding, prefix = '' } }: SignatureScheme,
  key: string | Uint8Array,
): () => Promise<CryptoKey> {
  const given = typeof key === 'string' && key.startsWith(prefix) ? key.slice(prefix.length) : key;
  const bytes =
    typeof given !== 'string'
      ? given
      : encoding === 'utf-8'
        ? new TextEncoder().encode(given)
        : decodeBytes(given, encoding);
  if (!bytes?.length) throw new TypeError(`A key is empty or is not ${encoding}.`);
  return toCryptoKey(algorithm, bytes);
}
