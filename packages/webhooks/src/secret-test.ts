import type { Authentication, SecretFailure, Verdict } from './authentication.ts';
import { WebhookError } from './webhook-error.ts';

/**
 * Creates a test of whether one of the given texts is one of the secrets. The number of steps depends only on the given
 * texts, so that the duration reveals neither content nor length of a secret.
 * @throws WebhookError `missing-secret` where there is no secret, or one is empty
 */
export function createSecretTest(
  secrets: string | readonly string[],
): (texts: readonly string[]) => boolean {
  const list = [secrets].flat();
  if (list.length === 0 || list.some((secret) => typeof secret !== 'string' || !secret.trim()))
    throw new WebhookError(
      'missing-secret',
      'The secret is missing or empty. Check that its environment variable is set.',
    );
  const tests = list.map(createComparison);
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
