import { invalid } from './webhook-error.ts';

/**
 * Returns the value of the choice that an option names.
 * @throws WebhookError `invalid-option` for a name that is not among the choices
 */
export function choose<const T>(
  option: string,
  chosen: string,
  choices: Readonly<Record<string, T>>,
): T {
  if (Object.hasOwn(choices, chosen)) return choices[chosen] as T;
  throw invalid(`\`${option}\` must be one of ${Object.keys(choices).join(', ')}`);
}
