import leven from 'leven';
import { quote } from './quote.ts';

/**
 * Returns a suggestion such as `Did you mean "x-source"?` for a name that is similar to known ones, else `undefined`.
 * @param most how many names to suggest, nearest first
 * @param limit how many characters may differ
 */
export function didYouMean(
  name: string,
  known: readonly string[],
  most = 1,
  limit: number = Math.max(1, Math.floor(name.length / 3)),
): string | undefined {
  if (name.length > 200) return undefined;
  const near = known
    .map((one) => {
      const maxDistance = limit + 1;
      return { one, distance: leven(name.toLowerCase(), one.toLowerCase(), { maxDistance }) };
    })
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ one }) => quote(one));
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}
