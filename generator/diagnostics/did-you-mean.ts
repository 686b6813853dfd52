import { closestMatch } from 'leven';
import { quote } from './quote.ts';

/**
 * Returns a suggestion such as `Did you mean "x-source"?` for a name that is similar to a known one, else `undefined`.
 */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  if (name.length > 200) return undefined;
  const maxDistance = Math.max(1, Math.floor(name.length / 3));
  const closest = closestMatch(name, known, { maxDistance });
  return closest === undefined ? undefined : `Did you mean ${quote(closest)}?`;
}
