import type { SignatureEncoding } from './scheme.ts';

/**
 * Encodes bytes: hexadecimal in lower case, Base64 with padding, Base64url without. Passes the bytes as arguments of
 * one call, so it is for short arrays such as digests.
 */
export function encodeBytes(bytes: Uint8Array, encoding: SignatureEncoding): string {
  if (encoding === 'hex')
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = btoa(String.fromCharCode(...bytes));
  if (encoding === 'base64') return base64;
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Decodes a text. Returns `undefined` unless the text is the canonical encoding of its bytes: correct alphabet, correct
 * padding, and no unused bit set. Hexadecimal digits may be upper or lower case.
 */
export function decodeBytes(
  text: string,
  encoding: SignatureEncoding,
): Uint8Array<ArrayBuffer> | undefined {
  try {
    const isHex = encoding === 'hex';
    const bytes = isHex
      ? Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
      : Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
          character.charCodeAt(0),
        );
    // The decoders also accept texts that are not canonical.
    return encodeBytes(bytes, encoding) === (isHex ? text.toLowerCase() : text) ? bytes : undefined;
  } catch {
    return undefined;
  }
}
