/** Returns the first sentence of a text, on one line. */
export function firstSentence(text: string): string {
  const line = oneLine(text);
  return /^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line;
}

/** Replaces white space in a text so that it is one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
