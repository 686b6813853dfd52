import type { CoreParts } from './core-parts.ts';
import { decodeBytes } from './encoding.ts';
import type { SignatureScheme } from './scheme.ts';

/**
 * Returns the bytes of a key.
 * @param key text in the scheme's encoding, with or without its prefix, or the bytes themselves
 * @throws the error for `missing-key` for an empty key, for `malformed-key` for text that is not in the encoding
 */
export function toKeyBytes(
  key: string | Uint8Array,
  { prefix = '', encoding }: SignatureScheme['key'],
  { toError }: CoreParts,
): Uint8Array {
  const bareKey =
    typeof key === 'string' && key.startsWith(prefix) ? key.slice(prefix.length) : key;
  if (!bareKey?.length) throw toError('missing-key');
  if (typeof bareKey !== 'string') return bareKey;
  const bytes =
    encoding === 'utf-8' ? new TextEncoder().encode(bareKey) : decodeBytes(bareKey, encoding);
  if (!bytes) throw toError('malformed-key', encoding);
  return bytes;
}
