import { parseJson, type NumberMode } from './json.ts';

/**
 * Decodes a JSON body.
 * @param numbers what to do with a number that no double represents exactly
 * @throws TypeError for bytes that are not UTF-8, SyntaxError for text that is not JSON, RangeError for a refused
 * number
 */
export function fromJson(bytes: Uint8Array, numbers: NumberMode | 'round' = 'refuse'): unknown {
  return parseJson(fromText(bytes), numbers);
}

/**
 * Decodes a text body.
 * @throws TypeError for bytes that are not UTF-8
 */
export function fromText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
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
  return isJson(contentType ?? '') ? fromJson(bytes, numbers) : fromText(bytes);
}

/** Decodes a body for which the contract states no media type by its content type: JSON, text or bytes. */
export function decodeContent(
  bytes: Uint8Array,
  numbers: NumberMode | 'round',
  contentType: string | null,
): unknown {
  if (contentType === null) return bytes;
  if (isJson(contentType)) return fromJson(bytes, numbers);
  return essence(contentType).startsWith('text/') ? fromText(bytes) : bytes;
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
