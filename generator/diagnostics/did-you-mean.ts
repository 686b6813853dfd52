import { closestMatch } from 'leven';
import { quote } from './quote.ts';

/** `Did you mean "x-source"?` for a name that is nearly a known one; `undefined` where none is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  if (name.length > 200) return undefined;
  const maxDistance = Math.max(1, Math.floor(name.length / 3));
  const closest = closestMatch(name, known, { maxDistance });
  return closest === undefined ? undefined : `Did you mean ${quote(closest)}?`;
}
