import { ClientError } from './client-error.ts';

/** The value of a choice that an option names. Throws a ClientError for a name that is no choice. */
export function choose<const T>(
  option: string,
  chosen: string,
  choices: Readonly<Record<string, T>>,
): T {
  if (Object.hasOwn(choices, chosen)) return choices[chosen] as T;
  throw new ClientError(
    'invalid-option',
    `The option ${option} is none of ${Object.keys(choices).join(', ')}.`,
  );
}
