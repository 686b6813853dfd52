import type { CoreParts } from './core-parts.ts';
import { decodeBytes } from './encoding.ts';
import type { SignatureScheme } from './scheme.ts';
import { faultOfSecret } from '../base/secret-fault.ts';

/**
 * Returns the bytes of a key.
 * @param key text in the scheme's encoding, with or without its prefix, or the bytes themselves
 * @throws the error for `missing-key` for an empty key and for texts such as `undefined`, for `malformed-key` for text that
 * is not in the encoding, or begins or ends with white space
 */
export function toKeyBytes(
  key: string | Uint8Array,
  { prefix = '', encoding }: SignatureScheme['key'],
  { toError }: CoreParts,
): Uint8Array {
  const bareKey =
    typeof key === 'string' && key.startsWith(prefix) ? key.slice(prefix.length) : key;
  let bytes: Uint8Array | undefined;
  if (bareKey instanceof Uint8Array) bytes = bareKey;
  else {
    const fault = faultOfSecret(bareKey);
    if (fault === 'white-space') throw toError('malformed-key', fault);
    if (fault !== undefined) throw toError('missing-key');
    // The encoding of half a character is that of a replacement character.
    if (encoding !== 'utf-8') bytes = decodeBytes(bareKey, encoding);
    else if (bareKey.isWellFormed()) bytes = new TextEncoder().encode(bareKey);
  }
  if (!bytes) throw toError('malformed-key', encoding);
  // Also the bytes of an empty file, or of an encoded line break.
  if (bytes.every(isSpace)) throw toError('missing-key');
  return bytes;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
