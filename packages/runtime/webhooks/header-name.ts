import { invalid } from './webhook-error.ts';

/**
 * Asserts that a text can be the name of a header: a token of RFC 9110, section 5.6.2. Some platforms throw for any other
 * name when a delivery arrives.
 * @throws WebhookError `invalid-option`
 */
export function assertHeaderName(name: unknown, what: string): void {
  if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/u.test(name))
    throw invalid(`${what} must be the name of a header`);
}
