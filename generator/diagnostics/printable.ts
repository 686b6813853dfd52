/** Replaces control and other invisible characters of a text, which could control the terminal, with U+FFFD. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
