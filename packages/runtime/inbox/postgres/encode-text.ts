/** Returns text as it is stored: Postgres has no NUL in text. */
export function encodeText(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\0', '\\0');
}

/** Returns the text that was stored. */
export function decodeText(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replaceAll(/\\([\\0])/g, (_, character) => (character === '0' ? '\0' : '\\'));
}

/** Returns the SQL of text, for a message of several statements: it can have no parameters. */
export function textLiteral(value: string): string {
  // In this form, a backslash has the same meaning under every setting of the server.
  return `E'${encodeText(value).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Returns the SQL of text that can be NULL. */
export function optionalLiteral(value: string | null): string {
  return value === null ? 'NULL' : textLiteral(value);
}

/** Returns the SQL of an integer. */
export function integerLiteral(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError('The value is not an integer');
  return String(value);
}
