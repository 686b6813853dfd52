/** A body that is JSON; bytes that are not UTF-8 are refused. */
export function fromJson(bytes: Uint8Array): unknown {
  return parseJson(fromText(bytes));
}

/** Reads a JSON text. */
export function parseJson(text: string): unknown {
  return JSON.parse(text);
}

/** A body that is text in UTF-8; other bytes are refused. */
export function fromText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** A body that is bytes. */
export function fromBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}
