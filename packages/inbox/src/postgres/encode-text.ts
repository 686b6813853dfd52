/** Returns text as it is stored: Postgres has no NUL in text. */
export function encodeText(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\0', '\\0');
}

/** Returns the text that was stored. */
export function decodeText(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replaceAll(/\\([\\0])/g, (_, character) => (character === '0' ? '\0' : '\\'));
}
