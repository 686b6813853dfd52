/** The environment variable with the shared secret, or with the key of a signature. */
export const secretVariable = 'WEBHOOK_SECRET';

/** The environment variable with the public key of the sender. */
export const publicKeyVariable = 'WEBHOOK_PUBLIC_KEY';

/** The header with the shared secret. */
export const secretHeader = 'x-webhook-secret';

/**
 * Returns the name of the environment variable that has the value of a header. It begins otherwise than those of secrets:
 * a header named `secret` is sent as it is, and must not have the key of the signature.
 */
export function headerVariable(header: string): string {
  return `WEBHOOK_HEADER_${header.toUpperCase().replaceAll(/[^A-Z0-9]+/gu, '_')}`;
}
