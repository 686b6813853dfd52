import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { CommandError } from './command-error.ts';

/** The maximum number of names that a message lists. */
const maxNames = 20;

/**
 * Creates the usage error for an unknown name. The message suggests the most similar known name, or lists the known
 * names.
 * @param what the kind of thing that the name is for, such as `target`
 */
export function createUnknownNameError(
  what: string,
  given: unknown,
  known: readonly string[],
): CommandError {
  const name = typeof given === 'string' ? given : '';
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  return new CommandError('usage', `There is no ${what} ${shown}. ${hintOf(name, known)}`);
}

/**
 * Returns the known name that is given.
 * @throws CommandError `usage` for any other name
 */
export function chooseName<Name extends string>(
  what: string,
  given: unknown,
  known: readonly Name[],
): Name {
  const found = known.find((name) => name === given);
  if (found === undefined) throw createUnknownNameError(what, given, known);
  return found;
}

function hintOf(given: string, known: readonly string[]): string {
  if (known.length === 0) return 'There are none.';
  const more = known.length > maxNames ? `, and ${known.length - maxNames} more` : '';
  return didYouMean(given, known) ?? `There are: ${known.slice(0, maxNames).join(', ')}${more}.`;
}
