import type { DiagnosticCode } from '../../diagnostics/catalogue.ts';

/** A place in a text; line and column are counted from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A reason why a text cannot be part of a contract, with its place in the text. */
export interface ParseError extends Position {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** Left out where the usual help of the code is enough. */
  readonly help?: string | undefined;
  /** How the text is read until it is corrected, as the end of a sentence. The problem is then a warning. */
  readonly until?: string;
}

/** Finds the places of a text's members. */
export interface Positions {
  /**
   * Returns where a member's key or an array's item begins; for a member that is not written, its nearest written
   * parent.
   */
  locate(members: readonly string[]): Position;
  /** Returns the text of a value that is written without quotes. Left out where nothing reads it. */
  readonly textOf?: (members: readonly string[]) => string | undefined;
}

/** The offsets or indexes at which a member's key or an array's item begins, and at which its value begins. */
export interface Child {
  readonly place: number;
  readonly value: number;
}

/** The positions of a text without members. */
export const startOnly: Positions = { locate: () => ({ line: 1, column: 1 }) };

/** Returns a function from an offset in a text to its position. */
export function createLineIndex(text: string): (offset: number) => Position {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
