import { proofsOf, schemeOf } from '../../contract/authentication.ts';
import type { Contract, SecurityScheme } from '../../contract/contract.ts';
import type { SecretPlace, SecretProof } from '../../contract/proofs.ts';
import { secretHeaderOf } from '../../contract/sent-proofs.ts';
import { code, type Code } from '../code.ts';
import { literal, object } from '../escape.ts';

/** A secret that the contract states for notifications, with code that compares it. */
export interface SecretCode extends SecretProof {
  /** The function of the runtime that creates the authentication from `secrets`, and its call. */
  readonly factory: SecretFactory;
  readonly create: Code;
  /** The parameter of the function in a call for documentation. */
  readonly parameter: 'secret' | 'credentials' | 'token';
  /** What requests carry, as a noun phrase without an article. */
  readonly what: string;
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
  return proofsOf(contract, 'secret').map((proof) => ({
    ...proof,
    ...describePlace(proof.place, proof.parameterName),
    security: schemeOf(contract, proof),
  }));
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

/** Returns a secret of this kind for tests. */
export function secretForTests({ place }: SecretCode, secret: string): string {
  return place === 'basic' ? `user:${secret}` : secret;
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
