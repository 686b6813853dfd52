import type { SignatureEncoding } from './scheme.ts';

/** Writes bytes, few enough to be arguments; hexadecimal digits are small letters, Base64 is padded and Base64url is not. */
export function encodeBytes(bytes: Uint8Array, encoding: SignatureEncoding): string {
  if (encoding === 'hex')
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = btoa(String.fromCharCode(...bytes));
  if (encoding === 'base64') return base64;
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * The bytes, where the text is the one canonical way to write them: this alphabet, this padding, no bit set that
 * stands for nothing. Hexadecimal digits may be of either case.
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
    // Decoders take more than that, and say nothing.
    return encodeBytes(bytes, encoding) === (isHex ? text.toLowerCase() : text) ? bytes : undefined;
  } catch {
    return undefined;
  }
}
