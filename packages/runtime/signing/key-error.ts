import { SigningError } from './signing-error.ts';

/**
 * Creates the error for a key that cannot be used. Its text contains nothing of the key.
 * @param fault what is wrong, after "The key"
 */
export function toKeyError(fault: string): SigningError {
  return new SigningError('malformed-key', `The key ${fault}.`, 'key');
}
