/**
 * Returns received text for display. Characters that are invisible, or that change the direction of the text around
 * them, become their code point, so that the text reads as it is.
 */
export function visibleText(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\r') return '';
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

/** The tokens of JSON that indentation concerns, and strings, whose content it does not. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[{]\s*[\]}]|[[\]{},:]|\s+/gsu;

/** Deeper levels are not indented: text of brackets alone would become very long. */
const maxIndentation = 50;

/** Returns JSON text with indentation; other text as it is. Changes nothing but white space: numbers keep their digits. */
export function prettyJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(Math.min(depth, maxIndentation))}`;
  return text.replaceAll(tokens, (token) => {
    const [first = ''] = token;
    if (first === '"') return token;
    if (first === ',') return `,${newLine()}`;
    if (first === ':') return ': ';
    if (first === '[' || first === '{') {
      if (token.length > 1) return first + token.slice(-1);
      depth += 1;
      return first + newLine();
    }
    if (first !== ']' && first !== '}') return '';
    depth -= 1;
    return newLine() + first;
  });
}
