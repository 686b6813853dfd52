/** Returns the offset at which the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  const ahead = text.slice(0, offset);
  return Math.max(ahead.lastIndexOf('\n'), ahead.lastIndexOf('\r')) + 1;
}

/** Returns the indentation of the line of an offset. */
export function indentationAt(text: string, offset: number): string {
  return /^[^\S\n\r]*/u.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** Returns the line break before the line of an offset, or else the first one of the text. Defaults to LF. */
export function lineBreakNear(text: string, offset: number): string {
  const ahead = text.slice(0, lineStart(text, offset));
  return /(?:\r\n|\n|\r)$/u.exec(ahead)?.[0] ?? /\r\n|\n|\r/u.exec(text)?.[0] ?? '\n';
}
