import type { Contract, Notification, SecurityScheme } from '../../contract/contract.ts';
import { toTypeName } from '../../contract/names.ts';
import { code, type Code } from '../code.ts';
import { literal } from '../escape.ts';

/** A secret in a header or in the path that the contract states for notifications, with the name of what compares it. */
export interface SecretCode {
  /** The name of the function that creates the authentication. */
  readonly verify: string;
  /** The header, as the contract writes it; `undefined` for a segment of the path. */
  readonly header: string | undefined;
  /** Where a request carries it, as the argument of `sharedSecret`. */
  readonly place: Code;
  /** The same in words, as they continue "a secret". */
  readonly where: string;
  readonly security: SecurityScheme;
}

/** What an integrator has to know about a secret in the path. */
export const pathSecretWarning =
  'Access logs of servers, proxies and load balancers contain paths: leave the path out of them, or protect and delete them like the secret.';

/**
 * Describes the secrets in headers and paths that authenticate notifications by themselves, without another scheme beside
 * them.
 */
export function describeSecrets({ notifications, security }: Contract): readonly SecretCode[] {
  const stated = new Set(
    notifications.flatMap((notification) =>
      notification.security.flatMap((required) =>
        required.length === 1 ? required.map(({ scheme }) => scheme) : [],
      ),
    ),
  );
  return security.flatMap((scheme): readonly SecretCode[] => {
    const { id, name, type, in: place, parameterName, signature, accessToken } = scheme;
    if (type !== 'apiKey' || !stated.has(id)) return [];
    if (signature !== undefined || accessToken !== undefined) return [];
    const verify = `verify${toTypeName(name)}`;
    if (place === 'path') {
      const where = 'in a segment of the path of the registered URL';
      return [{ verify, header: undefined, place: code`{ path: true }`, where, security: scheme }];
    }
    if (place !== 'header' || parameterName === undefined) return [];
    const where = `in the header \`${parameterName}\``;
    const placeCode = code`{ header: ${literal(parameterName)} }`;
    return [{ verify, header: parameterName, place: placeCode, where, security: scheme }];
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
