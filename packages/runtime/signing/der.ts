/** An element of DER: its tag, and its content. */
interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The bytes after the element. */
  readonly rest: Uint8Array;
}

/** The tags of DER that keys and signatures have. */
export const derTags = { integer: 0x02, bits: 0x03, octets: 0x04, sequence: 0x30 } as const;

/**
 * Reads the element at the start of some bytes. Returns `undefined` for another tag, and for a length that is not
 * written in the shortest form or exceeds the bytes.
 */
export function readDer(bytes: Uint8Array, tag: number): DerElement | undefined {
  const [actualTag, first = 0x80] = bytes;
  const count = first < 0x80 ? 0 : first - 0x80;
  if (actualTag !== tag || first === 0x80 || count > 2) return undefined;
  let length = count === 0 ? first : 0;
  for (const byte of bytes.subarray(2, 2 + count)) length = 256 * length + byte;
  const start = 2 + count;
  if (count > 0 && length < (count === 1 ? 0x80 : 0x100)) return undefined;
  if (bytes.length < start + length) return undefined;
  const content = bytes.subarray(start, start + length);
  return { tag, content, rest: bytes.subarray(start + length) };
}

/**
 * Reads a positive INTEGER without its leading zero. Returns `undefined` for zero, a negative number, and a number that
 * is not written in the shortest form.
 */
export function readDerInteger(
  bytes: Uint8Array,
): { readonly value: Uint8Array; readonly rest: Uint8Array } | undefined {
  const element = readDer(bytes, derTags.integer);
  if (element === undefined) return undefined;
  const { content, rest } = element;
  const [first = 0x80, second = 0] = content;
  if (first >= 0x80) return undefined;
  if (first > 0) return { value: content, rest };
  return second >= 0x80 ? { value: content.subarray(1), rest } : undefined;
}

/** Writes an element with less than 128 bytes. */
function writeDer(tag: number, content: Uint8Array): Uint8Array {
  return Uint8Array.of(tag, content.length, ...content);
}

/**
 * Converts an ECDSA signature over P-256 from strict DER to its two numbers with 32 bytes each. Returns `undefined` for
 * bytes that are not the only DER of two positive numbers.
 */
export function toRawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const sequence = readDer(der, derTags.sequence);
  if (sequence === undefined || sequence.rest.length > 0) return undefined;
  const r = readDerInteger(sequence.content);
  const s = r && readDerInteger(r.rest);
  if (s === undefined || s.rest.length > 0) return undefined;
  if (r === undefined || r.value.length > 32 || s.value.length > 32) return undefined;
  const raw = new Uint8Array(64);
  raw.set(r.value, 32 - r.value.length);
  raw.set(s.value, 64 - s.value.length);
  return raw;
}

/** Converts the two numbers of an ECDSA signature to DER. */
export function toDerSignature(raw: Uint8Array): Uint8Array {
  const numbers = [raw.subarray(0, 32), raw.subarray(32)].map((bytes) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = bytes.subarray(start === -1 ? bytes.length - 1 : start);
    return writeDer(
      derTags.integer,
      (digits[0] ?? 0) < 0x80 ? digits : Uint8Array.of(0, ...digits),
    );
  });
  return writeDer(derTags.sequence, Uint8Array.from(numbers.flatMap((number) => [...number])));
}
