/** Where the line begins that an offset is in. */
export function lineStart(text: string, offset: number): number {
  const ahead = text.slice(0, offset);
  return Math.max(ahead.lastIndexOf('\n'), ahead.lastIndexOf('\r')) + 1;
}

/** Where the line ends that an offset is in, ahead of its line break. */
export function lineEnd(text: string, offset: number): number {
  const found = /[\n\r]/u.exec(text.slice(offset));
  return found === null ? text.length : offset + found.index;
}

/** The white space that the line of an offset begins with. */
export function indentationAt(text: string, offset: number): string {
  return /^[^\S\n\r]*/u.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** The line break ahead of an offset, or else the first of the text; LF where there is none. */
export function lineBreakNear(text: string, offset: number): string {
  const ahead = text.slice(0, lineStart(text, offset));
  return /(?:\r\n|\n|\r)$/u.exec(ahead)?.[0] ?? /\r\n|\n|\r/u.exec(text)?.[0] ?? '\n';
}

/** A place in a text as people count: lines and columns from 1. */
export function placeOf(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const ahead = text.slice(0, offset).split(/\r\n|\n|\r/u);
  return { line: ahead.length, column: (ahead.at(-1)?.length ?? 0) + 1 };
}
