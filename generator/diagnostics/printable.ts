/** Replaces control and other invisible characters of a text, which could control the terminal, with U+FFFD. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/**
 * Replaces the characters of a text that could control the terminal, or the order in which it shows others, with U+FFFD.
 * Keeps line ends and tabs.
 */
export function printableLines(text: string): string {
  return text.replaceAll(/(?!\n|\t|\r\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
