import { accessToken } from './access-token.ts';
import { formBody } from './bodies.ts';
import { choose } from './choose.ts';
import { ClientError, factsOf } from './client-error.ts';
import { fromContent, fromJson } from './decoders.ts';
import type { Answer, OperationData } from './operation.ts';
import { bearer, areGiven, type Authorizer, type GivenToken, type TokenInput } from './security.ts';
import { simple, wellFormed } from './styles.ts';

/** A client ID and its secret, with which a client requests access tokens (RFC 6749, section 4.4). */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scopes of all access tokens. Default: for each call, the scopes that the contract requires. */
  readonly scopes?: readonly string[];
  /**
   * How a token request carries ID and secret: with HTTP Basic authentication, or as `client_id` and `client_secret` in
   * its body. Default: `basic`.
   */
  readonly sentIn?: 'basic' | 'body';
  /** Further parameters of token requests, such as `audience`. Default: none. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The endpoint that issues the access tokens of a security scheme. */
export interface TokenEndpoint {
  /** Names its requests in errors and events. */
  readonly id: string;
  /** The name of its address in the service's `servers`. */
  readonly server: string;
  /** What follows the address: nothing, a slash or a query. */
  readonly path: string;
}

/**
 * Creates an authorizer for OAuth 2.0 with the client credentials flow. It obtains and renews access tokens as
 * `accessToken` does: one for each list of scopes. A token that the caller gives is sent as it is.
 */
export function clientCredentials(
  endpoint: TokenEndpoint,
  credentials: ClientCredentials | GivenToken | undefined,
): Authorizer {
  if (typeof credentials !== 'object' || credentials === null) return bearer('Bearer', credentials);
  const { clientId, clientSecret, scopes } = credentials;
  const isReady = areGiven(clientId, clientSecret);
  const operation: OperationData = {
    id: endpoint.id,
    method: 'POST',
    path: endpoint.path,
    server: endpoint.server,
    parameters: [{ in: 'headers', name: 'authorization', style: simple }],
    everyRequest: [],
    body: { required: true, content: { 'application/x-www-form-urlencoded': formBody } },
    responses: {
      '2XX': { 'application/json': fromJson },
      default: { 'application/json': fromJson, '*/*': fromContent },
    },
    security: [],
    repeatable: true,
  };
  const byScope = new Map<string, Authorizer>();
  const forScopes = (required: readonly string[]): Authorizer => {
    const scope = [...new Set(scopes ?? required)].toSorted().join(' ');
    const cachedAuthorizer = byScope.get(scope);
    if (cachedAuthorizer !== undefined) return cachedAuthorizer;
    const authorizer = accessToken(
      {
        operation,
        token: { body: ['access_token'] },
        lifetime: { body: ['expires_in'] },
        value: 'Bearer {token}',
        oauth: { request: () => toTokenRequest(credentials, scope), faultOf, explain },
      },
      isReady,
    );
    byScope.set(scope, authorizer);
    return authorizer;
  };
  return { ...forScopes([]), forScopes };
}

/** @throws ClientError `invalid-option` for credentials that cannot be sent */
function toTokenRequest(
  { clientId, clientSecret, sentIn = 'basic', parameters }: ClientCredentials,
  scope: string,
): TokenInput {
  const isBasic = choose('sentIn of the credentials', sentIn, { basic: true, body: false });
  const body = {
    ...parameters,
    grant_type: 'client_credentials',
    ...(scope === '' ? {} : { scope }),
  };
  if (!isBasic) {
    const input = { body: { ...body, client_id: clientId, client_secret: clientSecret } };
    return { input, secrets: [clientSecret] };
  }
  const pair = btoa(`${encode(clientId)}:${encode(clientSecret)}`);
  const authorization = `Basic ${pair}`;
  return {
    input: { headers: { authorization }, body },
    secrets: [clientSecret, authorization, pair],
  };
}

/** The errors of RFC 6749, section 5.2, with what to do about them. */
const errors: Readonly<Record<string, string>> = {
  invalid_request: '',
  invalid_client: ': check the credentials, or set sentIn in them',
  invalid_grant: '',
  unauthorized_client: '',
  unsupported_grant_type: '',
  invalid_scope: ': set scopes in the credentials',
};

/** Returns what is wrong with a response that has a token. */
function faultOf({ body }: Answer): string | undefined {
  const { token_type: type } = (body ?? {}) as { readonly token_type?: unknown };
  return typeof type === 'string' && !/^bearer/i.test(type)
    ? 'contains a token that is not a bearer token'
    : undefined;
}

/** Adds the error of RFC 6749 to that of a token request. Contains no text of the response except its code. */
function explain(failure: unknown): unknown {
  if (!(failure instanceof ClientError) || failure.code !== 'failure-status') return failure;
  const { error } = (failure.body ?? {}) as { readonly error?: unknown };
  if (typeof error !== 'string' || !Object.hasOwn(errors, error)) return failure;
  const message = `${failure.message} The error is ${error}${errors[error] ?? ''}.`;
  return new ClientError(failure.code, message, factsOf(failure));
}

/** Encodes an ID or a secret for HTTP Basic authentication (RFC 6749, section 2.3.1). */
function encode(text: string): string {
  try {
    return new URLSearchParams([['', wellFormed(text)]]).toString().slice(1);
  } catch {
    throw new ClientError(
      'invalid-option',
      'The client ID or its secret contains a lone surrogate.',
    );
  }
}
