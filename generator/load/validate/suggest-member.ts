import { didYouMean } from '../../diagnostics/did-you-mean.ts';

/**
 * Returns a suggestion for a member that the specification does not have at its place, as a sentence after a space; an
 * empty text without a similar name.
 */
export function suggestMember(member: string, known: readonly string[]): string {
  const suggestion = didYouMean(member, known);
  return suggestion === undefined ? '' : ` ${suggestion.replaceAll('"', '`')}`;
}
