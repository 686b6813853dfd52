import type { Authentication, SecretFailure, Verdict } from './authentication.ts';
import { faultOfSecret, type SecretFault } from '../base/secret-fault.ts';
import { WebhookError } from './webhook-error.ts';

const messages: Readonly<Record<SecretFault, string>> = {
  blank: 'is missing or empty. Check that its environment variable is set',
  unset: 'is a text such as `undefined`. Check that its environment variable is set',
  'white-space':
    'begins or ends with white space, such as the line break at the end of a file. Remove the white space',
};

/**
 * Asserts that a secret, or a part of one, can be one.
 * @param what its name in the message
 * @throws WebhookError `missing-secret` for nothing and for texts such as `undefined`, `invalid-option` for a text that
 * begins or ends with white space
 */
export function assertSecret(secret: unknown, what = 'The secret'): void {
  const fault = faultOfSecret(secret);
  if (fault === undefined) return;
  throw new WebhookError(
    fault === 'white-space' ? 'invalid-option' : 'missing-secret',
    `${what} ${messages[fault]}.`,
  );
}

/**
 * Creates a test of whether one of the given texts is one of the secrets. The number of steps depends only on the given
 * texts, so that the duration reveals neither content nor length of a secret.
 * @param formsOf returns the texts as which a sender can write a secret; by default, the secret itself
 * @throws WebhookError `missing-secret` where there is no secret, or one is empty, `invalid-option` for one that begins or
 * ends with white space
 */
export function createSecretTest(
  secrets: string | readonly string[],
  formsOf: (secret: string) => readonly string[] = (secret) => [secret],
): (texts: readonly string[]) => boolean {
  const list = [secrets].flat();
  if (list.length === 0) assertSecret(undefined);
  for (const secret of list) assertSecret(secret);
  const tests = [...new Set(list.flatMap(formsOf))].map(createComparison);
  return (texts) => {
    let isFound = false;
    for (const isEqual of tests) for (const text of texts) isFound = isEqual(text) || isFound;
    return isFound;
  };
}

/**
 * Creates an authentication for requests that have the header exactly once, with one of the values, and that `next`
 * authenticates.
 * @param name the header's name in lower case
 * @throws WebhookError `missing-secret` where there is no value, or one is empty
 */
export function withHeader(
  name: string,
  values: string | readonly string[],
  next: Authentication,
): Authentication {
  const isExpected = createSecretTest(values);
  return (request) => {
    const headerValues = request.headers(name);
    return headerValues.length === 1 && isExpected(headerValues)
      ? next(request)
      : ({ ok: false, reason: 'wrong-header' } satisfies Verdict<SecretFailure>);
  };
}

/** Returns a function that compares texts with a secret, in one step for each character of the text. */
function createComparison(secret: string): (text: string) => boolean {
  // The table has an entry for every character of a text, also behind the end of the secret: of a long text, the last
  // bits of the index. Its size shows only that a secret has more than 256 characters.
  const size = 2 ** Math.max(8, Math.ceil(Math.log2(secret.length)));
  const units = Uint16Array.from({ length: size }, (_, index) => secret.charCodeAt(index));
  return (text) => {
    let difference = text.length ^ secret.length;
    for (let index = 0; index < text.length; index++)
      difference |= text.charCodeAt(index) ^ (units[index & (size - 1)] ?? 0);
    return difference === 0;
  };
}
