import { fromSource } from '../execution/from-source.ts';
import { CommandError } from '../tools/command-error.ts';

const { faultOfSecret } = await fromSource(() => import('@countersign/runtime/base'));

/**
 * Returns the value of an environment variable.
 * @throws CommandError `missing-secret` if it is unset, empty, or begins or ends with white space, `usage` if the name is
 * invalid
 */
export function readSecret(
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
): string {
  // An invalid name is probably the secret itself, so the message does not repeat it.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/u.test(variable))
    throw new CommandError(
      'usage',
      'Give the name of an environment variable, not the secret itself.',
    );
  const value = environment[variable] ?? '';
  const fault = faultOfSecret(value);
  // Files in PEM, and many with a JWK, end with a line break.
  if (fault === undefined || (fault === 'white-space' && /^\s*(?:-----BEGIN |\{)/u.test(value)))
    return value;
  throw new CommandError(
    'missing-secret',
    fault === 'white-space'
      ? `The environment variable ${variable} begins or ends with white space, such as the line break at the end of a file.`
      : `The environment variable ${variable} is not set.`,
  );
}
