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

/** Returns the bytes of a binary body unchanged. */
export function fromBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}
