/** A row of a database. */
export type Row = Readonly<Record<string, unknown>>;

/** Returns a column that is never NULL. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`Column ${column} is not text`);
  return value;
}

/** Returns a column that can be NULL. */
export function optionalText(row: Row, column: string): string | undefined {
  const value = row[column];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a column that is never NULL. */
export function integer(row: Row, column: string): number {
  const value = optionalInteger(row, column);
  if (value === undefined) throw new TypeError(`Column ${column} is not an integer`);
  return value;
}

/** Returns a column that can be NULL. */
export function optionalInteger(row: Row, column: string): number | undefined {
  const value = row[column];
  if (typeof value === 'number') return value;
  // The driver of Postgres returns a bigint as text, or as the parser that the application sets returns it.
  if (typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+$/.test(value)))
    return Number(value);
  return undefined;
}

/** Returns a column that is never NULL. */
export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new TypeError(`Column ${column} is not a blob`);
  return value;
}
