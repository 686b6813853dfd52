import type { SignatureEncoding } from './scheme.ts';

const alphabets = {
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
} as const;
const hexDigits = '0123456789abcdef';

/** What no character of an alphabet stands for; it spoils whatever it is combined with. */
const none = 0xff;

const values = {
  base64: toTable(alphabets.base64),
  base64url: toTable(alphabets.base64url),
  hex: toTable(hexDigits),
} as const;
for (const digit of 'ABCDEF') values.hex[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

function toTable(alphabet: string): Uint8Array {
  const table = new Uint8Array(128).fill(none);
  for (let index = 0; index < alphabet.length; index++) table[alphabet.charCodeAt(index)] = index;
  return table;
}

/** Writes bytes; hexadecimal digits are small letters, Base64 is padded and Base64url is not. */
export function encodeBytes(bytes: Uint8Array, encoding: SignatureEncoding): string {
  let text = '';
  if (encoding === 'hex') {
    for (const byte of bytes) text += hexDigits.charAt(byte >> 4) + hexDigits.charAt(byte & 15);
    return text;
  }
  const alphabet = alphabets[encoding];
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    held += 8;
    while (held >= 6) {
      held -= 6;
      text += alphabet.charAt(bits >> held);
      bits &= (1 << held) - 1;
    }
  }
  if (held > 0) text += alphabet.charAt(bits << (6 - held));
  return encoding === 'base64' ? text.padEnd(Math.ceil(text.length / 4) * 4, '=') : text;
}

/** How many characters `length` bytes take. */
export function encodedLength(length: number, encoding: SignatureEncoding): number {
  if (encoding === 'hex') return 2 * length;
  return encoding === 'base64' ? 4 * Math.ceil(length / 3) : Math.ceil((4 * length) / 3);
}

/**
 * The bytes, where the text is the one canonical way to write them: this alphabet, this padding, no bit set that
 * stands for nothing. Hexadecimal digits may be of either case.
 */
export function decodeBytes(text: string, encoding: SignatureEncoding): Uint8Array | undefined {
  return encoding === 'hex' ? decodeHex(text) : decodeBase64(text, encoding);
}

function decodeHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined;
  const table = values.hex;
  const bytes = new Uint8Array(text.length / 2);
  let spoilt = 0;
  for (let index = 0; index < bytes.length; index++) {
    const high = table[text.charCodeAt(2 * index)] ?? none;
    const low = table[text.charCodeAt(2 * index + 1)] ?? none;
    spoilt |= high | low;
    bytes[index] = (high << 4) | low;
  }
  return spoilt > 15 ? undefined : bytes;
}

function decodeBase64(text: string, encoding: 'base64' | 'base64url'): Uint8Array | undefined {
  let length = text.length;
  if (encoding === 'base64') {
    if (length % 4 !== 0) return undefined;
    if (text.endsWith('==')) length -= 2;
    else if (text.endsWith('=')) length -= 1;
  }
  if (length % 4 === 1) return undefined;
  const table = values[encoding];
  const bytes = new Uint8Array(Math.floor((3 * length) / 4));
  let spoilt = 0;
  let bits = 0;
  let held = 0;
  let written = 0;
  for (let index = 0; index < length; index++) {
    const value = table[text.charCodeAt(index)] ?? none;
    spoilt |= value;
    bits = (bits << 6) | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[written++] = bits >> held;
      bits &= (1 << held) - 1;
    }
  }
  return spoilt > 63 || bits !== 0 ? undefined : bytes;
}
