import type { Contract, Notification, SecurityScheme } from '../../contract/contract.ts';
import { toTypeName } from '../../contract/names.ts';
import { type Proof, proofOf, unreadySchemes } from '../../contract/notification-proof.ts';
import { code, type Code } from '../code.ts';
import { literal, object } from '../escape.ts';

/** What carries a secret. */
type SecretPlace = Exclude<Proof, 'signature' | 'body-signature' | 'certificate'>;

/** A secret that the contract states for notifications, with the name of what compares it. */
export interface SecretCode {
  /** The name of the function that creates the authentication. */
  readonly verify: string;
  readonly place: SecretPlace;
  /** The name of the header, the parameter of the query or the cookie, as the contract writes it. */
  readonly parameterName: string;
  /** The function of the runtime that creates the authentication from `secrets`, and its call. */
  readonly factory: SecretFactory;
  readonly create: Code;
  /** The parameter of the function in a call for documentation. */
  readonly parameter: 'secret' | 'credentials' | 'token';
  /** What requests carry, as a noun phrase without an article. */
  readonly what: string;
  /** Whether some notification needs nothing else. */
  readonly isAlone: boolean;
  readonly security: SecurityScheme;
}

type SecretFactory = 'sharedSecret' | 'basicCredentials' | 'bearerToken' | 'cookieSecret';

/** What an integrator has to know about a secret in the path. */
export const pathSecretWarning =
  'Access logs of servers, proxies and load balancers contain paths: leave the path out of them, or protect and delete them like the secret.';

/** What an integrator has to know about a secret in the query. */
const querySecretWarning =
  'Access logs of servers, proxies and load balancers contain queries: leave the query out of them, or protect and delete them like the secret. An inbox does not store the parameter, unless its option `stored` names it.';

/** Returns what an integrator has to know about the place of a secret; `undefined` for a place that logs do not have. */
export function secretWarning({ place }: SecretCode): string | undefined {
  return place === 'path' ? pathSecretWarning : place === 'query' ? querySecretWarning : undefined;
}

/**
 * Describes the secrets that authenticate notifications. Leaves out those in headers and paths that do so only beside
 * another scheme.
 */
export function describeSecrets(contract: Contract): readonly SecretCode[] {
  const requirements = contract.notifications.flatMap(({ security }) => security);
  const stated = new Set(requirements.flat().map(({ scheme }) => scheme));
  return contract.security.flatMap((scheme): readonly SecretCode[] => {
    const place = proofOf(contract, scheme);
    if (!stated.has(scheme.id) || place === undefined || !isSecretPlace(place)) return [];
    const isAlone = requirements.some(
      (required) => required.length === 1 && required[0]?.scheme === scheme.id,
    );
    if (!isAlone && (place === 'header' || place === 'path')) return [];
    const { parameterName = '' } = scheme;
    return [
      {
        verify: `verify${toTypeName(scheme.name)}`,
        place,
        parameterName,
        ...describePlace(place, parameterName),
        isAlone,
        security: scheme,
      },
    ];
  });
}

/** Returns the members of a test's overrides for a delivery with a secret. */
export function secretProof({ place, parameterName }: SecretCode, secret: string): Code {
  const query = new URLSearchParams([[parameterName, secret]]).toString();
  switch (place) {
    case 'path':
      return code`pathSecret: ${literal(secret)}`;
    case 'query':
      return code`url: ${literal(`http://127.0.0.1/?${query}`)}`;
    default: {
      const { name, value } = secretHeaderOf({ place, parameterName }, secret);
      return code`headers: ${object([[name, literal(value)]])}`;
    }
  }
}

/** Returns the header with a secret. */
export function secretHeaderOf(
  { place, parameterName }: Pick<SecretCode, 'place' | 'parameterName'>,
  secret: string,
): { readonly name: string; readonly value: string } {
  switch (place) {
    case 'basic':
      return { name: 'authorization', value: `Basic ${Buffer.from(secret).toString('base64')}` };
    case 'bearer':
      return { name: 'authorization', value: `Bearer ${secret}` };
    case 'cookie':
      return { name: 'cookie', value: `${parameterName}=${encodeURIComponent(secret)}` };
    default:
      return { name: parameterName, value: secret };
  }
}

/** Returns a secret of this kind for tests. */
export function secretForTests({ place }: SecretCode, secret: string): string {
  return place === 'basic' ? `user:${secret}` : secret;
}

/** A scheme without a ready function, in words for a README. */
export interface UnreadyCode {
  readonly id: string;
  readonly what: string;
}

/** Describes the schemes that the contract states for notifications and that the receiver has no function for. */
export function describeUnready(contract: Contract): readonly UnreadyCode[] {
  return unreadySchemes(contract).map(({ id, what }) => ({ id, what }));
}

/** Returns whether the contract states for every notification that nothing authenticates it. */
export function statesNoAuthentication({ notifications }: Contract): boolean {
  return notifications.length > 0 && notifications.every(isUnauthenticated);
}

/** A list without a requirement states nothing; one with an empty requirement states that nothing is required. */
function isUnauthenticated({ security }: Notification): boolean {
  return security.length > 0 && security.every((required) => required.length === 0);
}

function isSecretPlace(proof: Proof): proof is SecretPlace {
  return proof !== 'signature' && proof !== 'body-signature' && proof !== 'certificate';
}

function describePlace(
  place: SecretPlace,
  name: string,
): Pick<SecretCode, 'factory' | 'create' | 'parameter' | 'what'> {
  const shared = (at: Code, where: string): ReturnType<typeof describePlace> => ({
    factory: 'sharedSecret',
    create: code`sharedSecret(${at}, secrets)`,
    parameter: 'secret',
    what: `secret ${where}`,
  });
  switch (place) {
    case 'basic':
      return {
        factory: 'basicCredentials',
        create: code`basicCredentials(secrets)`,
        parameter: 'credentials',
        what: 'user name and password of HTTP Basic, written `user:password`',
      };
    case 'bearer':
      return {
        factory: 'bearerToken',
        create: code`bearerToken(secrets)`,
        parameter: 'token',
        what: 'bearer token that receiver and sender agreed on',
      };
    case 'cookie':
      return {
        factory: 'cookieSecret',
        create: code`cookieSecret(${literal(name)}, secrets)`,
        parameter: 'secret',
        what: `secret in the cookie \`${name}\``,
      };
    case 'path':
      return shared(code`{ path: true }`, 'in a segment of the path of the registered URL');
    default:
      return place === 'query'
        ? shared(code`{ query: ${literal(name)} }`, `in the parameter \`${name}\` of the query`)
        : shared(code`{ header: ${literal(name)} }`, `in the header \`${name}\``);
  }
}
