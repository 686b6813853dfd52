/** A value in DER (ITU-T X.690). */
export interface DerValue {
  /** The first byte of the value: its class, whether it is constructed, and its number. */
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * Reads the values that fill the bytes completely.
 * @throws SyntaxError for bytes that are not DER
 */
export function readDer(bytes: Uint8Array): readonly DerValue[] {
  const values: DerValue[] = [];
  let start = 0;
  while (start < bytes.length) {
    const tag = bytes[start] ?? 0;
    // A tag number above 30 takes several bytes. Certificates have none.
    if ((tag & 0x1f) === 0x1f) throw malformed();
    const [length, header] = readLength(bytes, start + 1);
    const from = start + 1 + header;
    const end = from + length;
    if (end > bytes.length) throw malformed();
    values.push({ tag, content: bytes.subarray(from, end) });
    start = end;
  }
  return values;
}

/**
 * Returns the values inside the value, which must have the tag.
 * @throws SyntaxError for another tag, and for content that is not DER
 */
export function readInside(value: DerValue | undefined, tag: number): readonly DerValue[] {
  return readDer(contentOf(value, tag));
}

/**
 * Returns the content of the value, which must have the tag.
 * @throws SyntaxError for another tag
 */
export function contentOf(value: DerValue | undefined, tag: number): Uint8Array {
  if (value?.tag !== tag) throw malformed();
  return value.content;
}

/** The maximum bytes of an object identifier. Its numbers are added up bit by bit, which takes quadratic time. */
const maxObjectIdBytes = 128;

/**
 * Returns an object identifier in dotted form.
 * @throws SyntaxError for a value of another type, and for one that is longer than any that is assigned
 */
export function readObjectId(value: DerValue | undefined): string {
  const content = contentOf(value, 0x06);
  if (content.length > maxObjectIdBytes) throw malformed();
  const numbers: bigint[] = [];
  let number = 0n;
  let isComplete = true;
  for (const byte of content) {
    // A leading zero would be a second way to write the same identifier.
    if (isComplete && byte === 0x80) throw malformed();
    number = (number << 7n) | BigInt(byte & 0x7f);
    isComplete = byte < 0x80;
    if (!isComplete) continue;
    numbers.push(number);
    number = 0n;
  }
  const [first] = numbers;
  if (!isComplete || first === undefined) throw malformed();
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...numbers.slice(1)].join('.');
}

/** Returns the text of a string; `undefined` for a type that is not a string, and for bytes that its type excludes. */
export function readText({ tag, content }: DerValue): string | undefined {
  if (tag === 0x0c) return decode('utf-8', content);
  // A BMPString has two bytes for each character.
  if (tag === 0x1e) return content.length % 2 === 0 ? decode('utf-16be', content) : undefined;
  // NumericString, PrintableString, IA5String and VisibleString have ASCII only.
  const isAscii = tag === 0x12 || tag === 0x13 || tag === 0x16 || tag === 0x1a;
  if (isAscii) return readAscii(content);
  // Issuers write TeletexString as Latin-1.
  return tag === 0x14 ? String.fromCharCode(...content) : undefined;
}

/** Returns the text of ASCII bytes; `undefined` for other bytes. */
export function readAscii(content: Uint8Array): string | undefined {
  return content.every((byte) => byte < 0x80) ? String.fromCharCode(...content) : undefined;
}

/** Creates the error for bytes that are not what they must be. It contains nothing of them. */
export function malformed(): SyntaxError {
  return new SyntaxError('The certificate is malformed.');
}

function readLength(bytes: Uint8Array, at: number): readonly [length: number, header: number] {
  const first = bytes[at];
  if (first === undefined) throw malformed();
  if (first < 0x80) return [first, 1];
  const count = first & 0x7f;
  // The indefinite form, and lengths that no certificate has.
  if (count === 0 || count > 3) throw malformed();
  let length = 0;
  for (const byte of bytes.subarray(at + 1, at + 1 + count)) length = length * 256 + byte;
  if (length < 0x80 || length < 256 ** (count - 1) || at + count >= bytes.length) throw malformed();
  return [length, 1 + count];
}

function decode(encoding: 'utf-8' | 'utf-16be', bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
