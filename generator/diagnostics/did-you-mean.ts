import leven from 'leven';
import { maxNameLength, type NameIndex } from './name-index.ts';
import { quote } from './quote.ts';

/**
 * Returns a suggestion such as `Did you mean "x-source"?` for a name that is similar to known ones, else `undefined`.
 * @param candidates an index if both they and the names are those of a document, which can have many
 * @param max how many names to suggest, nearest first
 * @param limit how many characters may differ
 */
export function didYouMean(
  name: string,
  candidates: readonly string[] | NameIndex,
  max = 1,
  limit?: number,
): string | undefined {
  const near = similarNames(name, candidates, limit).slice(0, max).map(quote);
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}

/** Returns the names that are similar to a name, nearest first. */
export function similarNames(
  name: string,
  candidates: readonly string[] | NameIndex,
  limit: number = Math.max(1, Math.floor(name.length / 3)),
): readonly string[] {
  if (name.length > maxNameLength) return [];
  const names = 'near' in candidates ? candidates.near(name) : candidates;
  return names
    .map((candidate) => {
      const maxDistance = limit + 1;
      const [a, b] = [name.toLowerCase(), candidate.toLowerCase()];
      return { candidate, distance: isSwap(a, b) ? 1 : leven(a, b, { maxDistance }) };
    })
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

/** Returns whether two texts differ in the order of two neighbouring characters, the most common slip. */
function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at < a.length && a.slice(at) === `${b[at + 1]}${b[at]}${b.slice(at + 2)}`;
}
