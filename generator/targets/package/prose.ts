/** Returns the first sentence of a text, on one line. */
export function firstSentence(text: string): string {
  const line = oneLine(text);
  return /^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line;
}

/** Returns the first sentence of a text and the notes of its part of the contract, on one line, for a table. */
export function withNotes(text: string, notes: readonly string[] = []): string {
  return [firstSentence(text), ...notes.map((note) => `Note: ${oneLine(note)}`)].join(' ').trim();
}

/** Replaces white space in a text so that it is one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
