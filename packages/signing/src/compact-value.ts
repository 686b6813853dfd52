import type { SignatureScheme } from './scheme.ts';

/** The items that the value of the signature header contains, still encoded. */
interface Carried {
  readonly signature: string[];
  readonly timestamp: string[];
}

/**
 * Reads the items of the signature header's value. Recognizes each item by the text around it, in any order. Uses the
 * position of the items where that text is ambiguous. Returns `undefined` for a value of more than 4,096 characters,
 * for two timestamps, or for the wrong number of items where their position decides.
 */
export function readValue(
  { value, separator }: SignatureScheme,
  given: string,
): Carried | undefined {
  if (given.length > 4096) return undefined;
  const split = (text: string): readonly string[] =>
    separator === undefined ? [text] : text.split(separator);
  const fits = (text: string, [before = '', , after = '']: readonly string[]): boolean =>
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  const texts = split(given);
  const items = split(value).map((text) => text.split(/\{(signature|timestamp)\}/));
  const byPlace = items.some(([before = '', , after = ''], place) =>
    items.some((other, index) => place !== index && fits(before + after, other)),
  );
  const carried: Carried = { signature: [], timestamp: [] };
  for (const [place, text] of texts.entries())
    for (const [index, item] of items.entries()) {
      const [before = '', name, after = ''] = item;
      if (name && (!byPlace || place === index) && fits(text, item))
        carried[name as keyof Carried].push(text.slice(before.length, text.length - after.length));
    }
  const isWhole = !byPlace || texts.length === items.length;
  return isWhole && carried.timestamp.length < 2 ? carried : undefined;
}
