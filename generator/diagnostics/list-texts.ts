/**
 * Lists texts as a sentence does: `a, b and c`. Without `Intl.ListFormat`, which takes 20 ms to load and would delay
 * every command.
 */
export function listTexts(texts: readonly string[], word: 'and' | 'or'): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} ${word} ${last}`;
}

/** Formats a number with its noun, in the singular or plural. */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`;
}
