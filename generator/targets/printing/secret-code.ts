import { proofsOf, schemeOf } from '../../contract/authentication.ts';
import type { Contract, SecurityScheme } from '../../contract/contract.ts';
import type { SecretPlace, SecretProof } from '../../contract/proofs.ts';
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

/** The code and the words of secrets in one place. `name` is that of the header, the parameter or the cookie. */
interface SecretPrinter {
  readonly factory: SecretFactory;
  readonly create: (name: string) => Code;
  readonly parameter: SecretCode['parameter'];
  readonly what: (name: string) => string;
  /** What an integrator has to know about the place. */
  readonly warning?: string;
  /** Returns the members of a test's overrides for a delivery with a secret. */
  readonly proof: (name: string, secret: string) => Code;
  /** Returns a secret of this kind for tests, if it is not any text. */
  readonly inTests?: (secret: string) => string;
}

const printers: Readonly<Record<SecretPlace, SecretPrinter>> = {
  header: {
    ...shared((name) => code`{ header: ${literal(name)} }`),
    what: (name) => `secret in the header \`${name}\``,
    proof: (name, secret) => headers(name, secret),
  },
  path: {
    ...shared(() => code`{ path: true }`),
    what: () => 'secret in a segment of the path of the registered URL',
    warning: pathSecretWarning,
    proof: (_, secret) => code`pathSecret: ${literal(secret)}`,
  },
  query: {
    ...shared((name) => code`{ query: ${literal(name)} }`),
    what: (name) => `secret in the parameter \`${name}\` of the query`,
    warning: querySecretWarning,
    proof(name, secret) {
      const query = new URLSearchParams([[name, secret]]).toString();
      return code`url: ${literal(`http://127.0.0.1/?${query}`)}`;
    },
  },
  cookie: {
    factory: 'cookieSecret',
    create: (name) => code`cookieSecret(${literal(name)}, secrets)`,
    parameter: 'secret',
    what: (name) => `secret in the cookie \`${name}\``,
    proof: (name, secret) => headers('cookie', `${name}=${encodeURIComponent(secret)}`),
  },
  basic: {
    factory: 'basicCredentials',
    create: () => code`basicCredentials(secrets)`,
    parameter: 'credentials',
    what: () => 'user name and password of HTTP Basic, written `user:password`',
    proof: (_, secret) =>
      headers('authorization', `Basic ${Buffer.from(secret).toString('base64')}`),
    inTests: (secret) => `user:${secret}`,
  },
  bearer: {
    factory: 'bearerToken',
    create: () => code`bearerToken(secrets)`,
    parameter: 'token',
    what: () => 'bearer token that receiver and sender agreed on',
    proof: (_, secret) => headers('authorization', `Bearer ${secret}`),
  },
};

function shared(
  at: (name: string) => Code,
): Pick<SecretPrinter, 'factory' | 'create' | 'parameter'> {
  return {
    factory: 'sharedSecret',
    create: (name) => code`sharedSecret(${at(name)}, secrets)`,
    parameter: 'secret',
  };
}

function headers(name: string, value: string): Code {
  return code`headers: ${object([[name, literal(value)]])}`;
}

/** Returns what an integrator has to know about the place of a secret; `undefined` for a place that logs do not have. */
export function secretWarning({ place }: SecretCode): string | undefined {
  return printers[place].warning;
}

/**
 * Describes the secrets that authenticate notifications. Leaves out those in headers and paths that do so only beside
 * another scheme.
 */
export function describeSecrets(contract: Contract): readonly SecretCode[] {
  return proofsOf(contract, 'secret').map((proof) => {
    const { factory, create, parameter, what } = printers[proof.place];
    return {
      ...proof,
      factory,
      create: create(proof.parameterName),
      parameter,
      what: what(proof.parameterName),
      security: schemeOf(contract, proof),
    };
  });
}

/** Returns the members of a test's overrides for a delivery with a secret. */
export function secretProof({ place, parameterName }: SecretCode, secret: string): Code {
  return printers[place].proof(parameterName, secret);
}

/** Returns a secret of this kind for tests. */
export function secretForTests({ place }: SecretCode, secret: string): string {
  return printers[place].inTests?.(secret) ?? secret;
}
