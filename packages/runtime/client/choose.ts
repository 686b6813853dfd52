import { demand, oneOf } from './check-options.ts';

/**
 * Returns the value of the choice that an option names.
 * @throws ClientError `invalid-option` for a name that is not among the choices
 */
export function choose<const T>(
  option: string,
  chosen: string,
  choices: Readonly<Record<string, T>>,
): T {
  demand(option, oneOf(...Object.keys(choices)), chosen);
  return choices[chosen] as T;
}
