/**
 * Returns received text for display. Characters that are invisible, or that change the direction of the text around
 * them, become their code point, so that the text reads as it is.
 */
export function visibleText(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/gu,
    (character) => {
      if (character === '\r') return '';
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return `⟨U+${code}⟩`;
    },
  );
}

/** Returns JSON text with indentation; other text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
