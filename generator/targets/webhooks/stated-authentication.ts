import type { Contract, Notification, SecurityScheme } from '../../contract/contract.ts';
import { toTypeName } from '../../contract/lower/names.ts';

/** A secret in a header that the contract states for notifications, with the name of what compares it. */
export interface SecretCode {
  /** The name of the function that creates the authentication. */
  readonly verify: string;
  /** The header, as the contract writes it. */
  readonly header: string;
  readonly security: SecurityScheme;
}

/**
 * Describes the secrets in headers that authenticate notifications by themselves, without another scheme beside them.
 */
export function describeSecrets({ notifications, security }: Contract): readonly SecretCode[] {
  const stated = new Set(
    notifications.flatMap((notification) =>
      notification.security.flatMap((required) =>
        required.length === 1 ? required.map(({ scheme }) => scheme) : [],
      ),
    ),
  );
  return security.flatMap((scheme) => {
    const { id, name, type, in: place, parameterName, signature, accessToken } = scheme;
    const isKey = type === 'apiKey' && place === 'header' && parameterName !== undefined;
    if (!isKey || !stated.has(id) || signature !== undefined || accessToken !== undefined)
      return [];
    return [{ verify: `verify${toTypeName(name)}`, header: parameterName, security: scheme }];
  });
}

/** Returns whether the contract states for every notification that nothing authenticates it. */
export function statesNoAuthentication({ notifications }: Contract): boolean {
  return notifications.length > 0 && notifications.every(isUnauthenticated);
}

/** A list without a requirement states nothing; one with an empty requirement states that nothing is required. */
function isUnauthenticated({ security }: Notification): boolean {
  return security.length > 0 && security.every((required) => required.length === 0);
}
