import type { SignatureScheme } from './scheme.ts';

/** What the value of the signature's header carries, as it came. */
interface Carried {
  readonly signature: string[];
  readonly timestamp: string[];
}

/**
 * Reads the header's value, unless it is too long or carries two timestamps. Items are known by the text around them,
 * in any order, or by their place where that text does not tell them apart.
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
