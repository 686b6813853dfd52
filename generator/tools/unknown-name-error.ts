import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { quote } from '../diagnostics/quote.ts';
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
  unknownName: unknown,
  names: readonly string[],
): CommandError {
  const name = typeof unknownName === 'string' ? unknownName : '';
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  return new CommandError('usage', `There is no ${what} ${shown}. ${hintOf(name, names)}`);
}

/**
 * Returns the known name that is given.
 * @throws CommandError `usage` for any other name
 */
export function chooseName<Name extends string>(
  what: string,
  requested: unknown,
  names: readonly Name[],
): Name {
  const matchingName = names.find((name) => name === requested);
  if (matchingName === undefined) throw createUnknownNameError(what, requested, names);
  return matchingName;
}

function hintOf(unknownName: string, names: readonly string[]): string {
  if (names.length === 0) return 'There are none.';
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  return (
    didYouMean(unknownName, names) ??
    completionOf(unknownName, names) ??
    `There are: ${names.slice(0, maxNames).join(', ')}${more}.`
  );
}

/** Suggests the only known name that begins with the one given, of at least two characters. */
function completionOf(start: string, names: readonly string[]): string | undefined {
  const [first, ...rest] = names.filter((name) => name.startsWith(start.toLowerCase()));
  if (start.length < 2 || first === undefined || rest.length > 0) return undefined;
  return `Did you mean ${quote(first)}?`;
}
