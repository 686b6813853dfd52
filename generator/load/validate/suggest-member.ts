import { didYouMean } from '../../diagnostics/did-you-mean.ts';

/**
 * Returns a suggestion for a member that the specification does not have at its place, as a sentence after a space; an
 * empty text without a similar name.
 */
export function suggestMember(member: string, names: readonly string[]): string {
  const suggestion = didYouMean(
    member,
    names.filter((name) => name !== member),
  );
  return suggestion === undefined ? '' : ` ${suggestion.replaceAll('"', '`')}`;
}
