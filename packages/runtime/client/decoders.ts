import type { NumberMode } from '../base/number-mode.ts';
import { parseJson } from './json.ts';

/**
 * Decodes a JSON body. JSON is UTF-8, and its media type has no `charset` (RFC 8259, sections 8.1 and 11), so that one
 * is ignored.
 * @param numbers what to do with a number that no double represents exactly
 * @throws TypeError for bytes that are not UTF-8, SyntaxError for text that is not JSON, RangeError for a refused
 * number
 */
export function fromJson(bytes: Uint8Array, numbers: NumberMode | 'round' = 'refuse'): unknown {
  return parseJson(decodeText(bytes, 'utf-8'), numbers);
}

/**
 * Decodes a text body by the `charset` of its content type (RFC 9110, section 8.3.2). Without one, it is UTF-8.
 * @throws TypeError for bytes that are not in the encoding, RangeError for a `charset` that the platform does not know
 */
export function fromText(
  bytes: Uint8Array,
  _numbers?: NumberMode | 'round',
  contentType: string | null = null,
): string {
  return decodeText(bytes, charsetOf(contentType) ?? 'utf-8');
}

/** Returns the `charset` of a content type, in lower case; `undefined` if it has none. */
export function charsetOf(contentType: string | null): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
}

function decodeText(bytes: Uint8Array, charset: string): string {
  // A `TextDecoder` reads the order of bytes from the label alone, but UTF-16 states it in its first bytes (RFC 2781).
  const isBigEndian = charset === 'utf-16' && bytes[0] === 0xfe && bytes[1] === 0xff;
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(isBigEndian ? 'utf-16be' : charset, { fatal: true });
  } catch {
    throw new RangeError('has a charset that the platform does not know');
  }
  return decoder.decode(bytes);
}

/**
 * Decodes a value in a range of media types by its content type: JSON, text or bytes. Without a content type, it is
 * JSON.
 */
export function fromContent(
  bytes: Uint8Array,
  numbers: NumberMode | 'round' = 'refuse',
  contentType: string | null = null,
): unknown {
  return contentType === null
    ? fromJson(bytes, numbers)
    : decodeContent(bytes, numbers, contentType);
}

/** Decodes a text in a range of media types by its content type: JSON, otherwise text. */
export function fromTextContent(
  bytes: Uint8Array,
  numbers: NumberMode | 'round' = 'refuse',
  contentType: string | null = null,
): unknown {
  return isJson(contentType ?? '')
    ? fromJson(bytes, numbers)
    : fromText(bytes, numbers, contentType);
}

/** Decodes a body for which the contract states no media type by its content type: JSON, text or bytes. */
export function decodeContent(
  bytes: Uint8Array,
  numbers: NumberMode | 'round',
  contentType: string | null,
): unknown {
  if (contentType === null) return bytes;
  if (isJson(contentType)) return fromJson(bytes, numbers);
  return essence(contentType).startsWith('text/') ? fromText(bytes, numbers, contentType) : bytes;
}

/** Returns a media type without its parameters, in lower case. */
export function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

/** Returns whether a media type is JSON. */
export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(essence(mediaType));
}

/** Returns the bytes of a binary body unchanged. */
export function fromBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}
