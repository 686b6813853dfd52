import leven from 'leven';
import { quote } from './quote.ts';

/**
 * Returns a suggestion such as `Did you mean "x-source"?` for a name that is similar to known ones, else `undefined`.
 * @param max how many names to suggest, nearest first
 * @param limit how many characters may differ
 */
export function didYouMean(
  name: string,
  candidates: readonly string[],
  max = 1,
  limit: number = Math.max(1, Math.floor(name.length / 3)),
): string | undefined {
  if (name.length > 200) return undefined;
  const near = candidates
    .map((candidate) => {
      const maxDistance = limit + 1;
      const [a, b] = [name.toLowerCase(), candidate.toLowerCase()];
      return { candidate, distance: isSwap(a, b) ? 1 : leven(a, b, { maxDistance }) };
    })
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, max)
    .map(({ candidate }) => quote(candidate));
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}

/** Returns whether two texts differ in the order of two neighbouring characters, the most common slip. */
function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at < a.length && a.slice(at) === `${b[at + 1]}${b[at]}${b.slice(at + 2)}`;
}
