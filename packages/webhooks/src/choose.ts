import { invalid } from './webhook-error.ts';

/** The value of a choice that an option names. Throws a WebhookError for a name that is no choice. */
export function choose<const T>(
  option: string,
  chosen: string,
  choices: Readonly<Record<string, T>>,
): T {
  if (Object.hasOwn(choices, chosen)) return choices[chosen] as T;
  throw invalid(`\`${option}\` is none of ${Object.keys(choices).join(', ')}`);
}
