import { decodeBytes } from './encoding.ts';
import type { SignatureScheme } from './scheme.ts';
import { SigningError } from './signing-error.ts';

/**
 * Returns the bytes of a key.
 * @param key text in the scheme's encoding, with or without its prefix, or the bytes themselves
 * @throws SigningError `missing-key` for an empty key, `malformed-key` for text that is not in the encoding
 */
export function toKeyBytes(key: string | Uint8Array, scheme: SignatureScheme['key']): Uint8Array {
  if (key instanceof Uint8Array) {
    if (key.length === 0) throw missingKey();
    return key;
  }
  if (typeof key !== 'string' || key.trim() === '') throw missingKey();
  const { prefix = '', encoding } = scheme;
  const text = key.startsWith(prefix) ? key.slice(prefix.length) : key;
  if (text === '') throw missingKey();
  if (encoding !== 'utf-8') {
    const bytes = decodeBytes(text, encoding);
    if (bytes === undefined) throw malformedKey(`is not ${encoding}`);
    return bytes;
  }
  if (!text.isWellFormed()) throw malformedKey('contains an unpaired surrogate');
  return new TextEncoder().encode(text);
}

function missingKey(): SigningError {
  return new SigningError(
    'missing-key',
    'The key is missing or empty. Check that its environment variable is set.',
  );
}

function malformedKey(fault: string): SigningError {
  return new SigningError(
    'malformed-key',
    `The key ${fault}. Write it in the encoding of the signature scheme.`,
  );
}
