/** Why a text cannot be a secret: it is nothing, what JavaScript writes for a missing value, or has white space around it. */
export type SecretFault = 'blank' | 'unset' | 'white-space';

/**
 * Returns why a value cannot be a secret, or `undefined` for a text that can. Such a secret is a mistake of the
 * configuration: anybody can guess the first two, and a sender never writes the line break at the end of a file.
 */
export function faultOfSecret(secret: unknown): SecretFault | undefined {
  if (typeof secret !== 'string') return 'blank';
  const text = secret.trim();
  if (text === '') return 'blank';
  if (/^(?:undefined|null|NaN|\[object [A-Za-z]+\])$/.test(text)) return 'unset';
  return text === secret ? undefined : 'white-space';
}
