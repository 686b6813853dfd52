/** An unambiguous text for a value: different values have different texts. */
export interface EncodedIdentity {
  readonly text: string;
  /** Whether the text covers the value completely. Functions and objects of classes have content that is unknown. */
  readonly isKnown: boolean;
}

/**
 * Encodes a value that identifies an account. Every value has its type in the text, so that `1`, `"1"` and `["1"]`
 * differ, and members are sorted. Members that are `undefined` are left out, because they are not sent.
 * @param nameOf returns the text of a value whose content is unknown. Default: the same text for all
 */
export function encodeIdentity(
  value: unknown,
  nameOf: (value: object) => string = () => '',
): EncodedIdentity {
  let isKnown = true;
  const encode = (part: unknown): readonly unknown[] => {
    if (part === null || (typeof part !== 'object' && typeof part !== 'function'))
      return [typeof part, String(part)];
    if (Array.isArray(part)) return ['list', ...part.map(encode)];
    if (ArrayBuffer.isView(part))
      return ['bytes', ...new Uint8Array(part.buffer, part.byteOffset, part.byteLength)];
    if (isPlain(part)) {
      const members = Object.entries(part)
        .filter(([, member]) => member !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      return ['members', ...members.map(([name, member]) => [name, encode(member)])];
    }
    isKnown = false;
    return ['unknown', nameOf(part)];
  };
  const text = JSON.stringify(encode(value));
  return { text, isKnown };
}

/** Returns the SHA-256 hash of a text in hexadecimal digits. */
export async function hashText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // `Object.prototype` of this or another realm, such as that of a test runner, has no prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
