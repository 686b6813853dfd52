/** A place in a text; line and column are counted from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}
