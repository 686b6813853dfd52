import { parseJson, type NumberMode } from './json.ts';

/** A body that is JSON; bytes that are not UTF-8 are refused. */
export function fromJson(bytes: Uint8Array, numbers: NumberMode | 'round' = 'refuse'): unknown {
  return parseJson(fromText(bytes), numbers);
}

/** A body that is text in UTF-8; other bytes are refused. */
export function fromText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** A body that is bytes. */
export function fromBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}
