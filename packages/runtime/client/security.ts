import { ClientError } from './client-error.ts';
import { untilAborted } from './deadline.ts';
import type { Draft } from './draft.ts';
import { functionFailed, guard } from './given.ts';
import type { Answer, Input, OperationData, ParameterDescription } from './operation.ts';
import type { RetryBudget } from './retry.ts';
import { faultOfSecret } from '../base/secret-fault.ts';
import type { StoredToken } from './token-store.ts';

/** The context of the call that a security scheme authorizes. */
export interface SecurityContext {
  readonly operation: OperationData;
  readonly clock: () => number;
  /** Aborted when the call runs out of time, or by the caller. */
  readonly signal: AbortSignal;
  /** The remaining repetitions of the call; token requests use them too. */
  readonly budget: RetryBudget;
  /**
   * Makes a token request. It has the time limits of the client and not of the call, because other calls may wait for
   * it too.
   */
  readonly requestToken: (
    operation: OperationData,
    request?: Partial<TokenInput>,
  ) => Promise<Answer>;
  /** The shared tokens of the account that makes the call: one object for each account of a connection. */
  readonly shared: SharedTokens;
}

/** The input of a token request that is not the account's input of the operation. */
export interface TokenInput {
  readonly input: Input;
  /** The texts in it that are secret. */
  readonly secrets: readonly string[];
}

/** The tokens of one account, in a token store. Its functions never reject for the store, and always end. */
export interface SharedTokens {
  /**
   * Returns the entry for a token of an operation. Returns `undefined` where no token is shared: without a store, or
   * where the client cannot know whose token it is.
   * @param kind tells the tokens that the operation issues apart
   * @param input the input of the token request; by default that of the account
   */
  readonly entry: (
    operation: OperationData,
    kind: unknown,
    input?: Input,
  ) => Promise<TokenEntry | undefined>;
}

/** An entry of a token store. */
interface TokenEntry {
  /** Returns the stored token, unless it is invalid or has expired. */
  readonly get: () => Promise<StoredToken | undefined>;
  readonly set: (token: StoredToken) => Promise<void>;
}

/** Takes note that the service refused a credential with a 401. Returns whether the call can get another one. */
export type Renew = () => boolean;

/** Writes credentials into a request. May return a function to call after a 401. */
export type WriteCredentials = (draft: Draft) => void | Renew | Promise<void | Renew>;

/** A security scheme with its credentials, which it does not expose. */
export interface Authorizer {
  /** Whether all its credentials were given. */
  readonly ready: boolean;
  /** Whether it runs after all other schemes, to sign what they have written. */
  readonly last?: true;
  /** The operation that issues its credentials, if it calls one. */
  readonly issuer?: OperationData;
  /** Where it writes credentials. A caller cannot write to the same places. */
  readonly writes?: readonly CredentialPlace[];
  /**
   * Returns what identifies the account of its credentials: plain data with the credentials themselves. Data with a
   * function, or an authorizer without this member, does not identify an account, so that no token is shared.
   * @param ofOperation returns what identifies the account that an operation is called with
   */
  readonly identity?: (
    ofOperation: (operation: OperationData, input?: Input) => unknown,
  ) => unknown;
  /** Returns the authorizer for calls that require these scopes, where the scopes of a credential differ. */
  readonly forScopes?: (scopes: readonly string[]) => Authorizer;
  /**
   * Obtains the credentials. Returns a promise only where it must wait. The request is then created after the wait, so
   * that its timestamps are current.
   */
  readonly prepare: (context: SecurityContext) => WriteCredentials | Promise<WriteCredentials>;
}

/** The header, query parameter or cookie that carries a credential. */
export interface CredentialPlace {
  readonly in: 'headers' | 'query' | 'cookies';
  readonly name: string;
}

/** Returns a text that is equal for equal places. Names are compared without their case, as services may do. */
export function placeKey({ in: place, name }: Pick<ParameterDescription, 'in' | 'name'>): string {
  return `${place} ${name.toLowerCase()}`;
}

/** Creates an authorizer that sends a key in a header, a query parameter or a cookie. */
export function apiKey(
  place: 'headers' | 'query' | 'cookies',
  name: string,
  key: string | undefined,
): Authorizer {
  return {
    ready: areGiven(key),
    writes: [{ in: place, name }],
    identity: () => ['apiKey', place, name, key],
    prepare: () => (draft) => draft.secret(place, name, key ?? ''),
  };
}

const authorization: CredentialPlace = { in: 'headers', name: 'authorization' };

/**
 * Creates an authorizer for the HTTP Basic scheme (RFC 7617). A username with a colon, and a lone surrogate, fail
 * the call with `invalid-option`.
 */
export function basic(
  credentials: { readonly username: string; readonly password: string } | undefined,
): Authorizer {
  const password = credentials?.password;
  return {
    // Some services have users without a password.
    ready: areGiven(credentials?.username) && (password === '' || areGiven(password)),
    writes: [authorization],
    identity: () => ['basic', credentials?.username, credentials?.password],
    prepare: () => (draft) => {
      const { username, password } = credentials ?? { username: '', password: '' };
      const fault = (what: string): ClientError =>
        new ClientError('invalid-option', `The username for HTTP Basic authentication ${what}.`);
      if (username.includes(':')) throw fault('contains a colon');
      if (/\p{Surrogate}/u.test(username + password))
        throw fault('or its password contains a lone surrogate');
      const bytes = new TextEncoder().encode(`${username}:${password}`);
      draft.secret('headers', 'authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
    },
  };
}

/** A token of the application, or a function that returns the current one. */
export type GivenToken = string | (() => string | Promise<string>);

/**
 * Creates an authorizer that sends a token of the application in the `Authorization` header.
 * @param scheme the word before the token, such as `Bearer`; may be empty
 * @param token the token, or a function that is called for every attempt
 */
export function bearer(scheme: string, token: GivenToken | undefined): Authorizer {
  const write =
    (current: string): WriteCredentials =>
    (draft) =>
      draft.secret('headers', 'authorization', `${scheme} ${current}`.trimStart());
  const toText = (current: unknown): string => {
    if (typeof current === 'string' && faultOfSecret(current) === undefined) return current;
    throw functionFailed(
      'credentials',
      new Error('The token function did not return a text that is a token.'),
    );
  };
  return {
    ready: areGiven(token),
    writes: [authorization],
    identity: () => ['bearer', scheme, token],
    prepare({ signal }) {
      if (typeof token !== 'function') return write(token ?? '');
      const current = guard('credentials', token)();
      if (typeof current === 'string') return write(toText(current));
      return untilAborted(Promise.resolve(current), signal).then((text) => write(toText(text)));
    },
  };
}

/**
 * A function that creates a signer: `createSigner` of `@countersign/runtime/signing` or of its entry `key-pairs`, or a compatible
 * one.
 */
export type CreateSigner<Scheme, Key = string | Uint8Array> = (
  scheme: Scheme,
  options: { readonly key: Key; readonly clock: () => number },
) => Signer;

/**
 * Signs requests. `sign` returns the headers that make a request authentic, and throws for a request that cannot be
 * signed.
 */
export interface Signer {
  readonly sign: (request: {
    readonly method: string;
    readonly url: string;
    /** The path of the base address, such as `/api`. The client always states it. */
    readonly basePath?: string;
    readonly body: Uint8Array;
    readonly headers: (name: string) => readonly string[];
  }) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/**
 * Creates an authorizer that signs the request after all other credentials have been added. A request that cannot be
 * signed fails the call with `unsignable`.
 */
export function signature<Scheme, Key = string | Uint8Array>(
  createSigner: CreateSigner<Scheme, Key>,
  scheme: Scheme,
  key: Key | undefined,
): Authorizer {
  let signer: Signer | undefined;
  return {
    ready: areGiven(key),
    last: true,
    writes: signatureHeader(scheme),
    identity: () => ['signature', scheme, key],
    prepare:
      ({ clock }) =>
      async ({ method, url, basePath, body, headers, secret }) => {
        let signed: Readonly<Record<string, string>>;
        try {
          signer ??= createSigner(scheme, { key: key as Key, clock });
          signed = await signer.sign({
            method,
            url,
            basePath,
            body,
            headers(name) {
              const value = headers.get(name);
              return value === null ? [] : [value];
            },
          });
        } catch (cause) {
          throw new ClientError('unsignable', (cause as Error).message, { cause });
        }
        for (const [name, value] of Object.entries(signed)) secret('headers', name, value);
      },
  };
}

/** Returns the header that carries the signature, where the description of the scheme has it. */
function signatureHeader(scheme: unknown): readonly CredentialPlace[] {
  const { header } = (scheme ?? {}) as { readonly header?: unknown };
  return typeof header === 'string' ? [{ in: 'headers', name: header }] : [];
}

/**
 * Creates an authorizer that adds nothing: the connection itself or an external component authenticates the call. The
 * client does not know the account.
 */
export function outside(): Authorizer {
  return { ready: true, prepare: () => () => undefined };
}

/**
 * Returns whether all credentials were given. `undefined`, `null` and a text of white space count as missing.
 * @throws ClientError `invalid-option` for a text such as `undefined`, and for one that begins or ends with white space
 */
export function areGiven(...credentials: readonly unknown[]): boolean {
  return credentials.map(isGiven).every(Boolean);
}

function isGiven(credential: unknown): boolean {
  if (typeof credential !== 'string') return (credential ?? undefined) !== undefined;
  const fault = faultOfSecret(credential);
  if (fault === 'blank') return false;
  // Files in PEM, and many with a JWK, end with a line break.
  const isKeyFile = /^\s*(?:-----BEGIN |\{)/.test(credential);
  if (fault === undefined || (fault === 'white-space' && isKeyFile)) return true;
  throw new ClientError(
    'invalid-option',
    fault === 'unset'
      ? 'One of the credentials is a text such as "undefined". Check that its environment variable is set (credentials).'
      : 'One of the credentials begins or ends with white space, such as the line break at the end of a file. Remove the white space (credentials).',
  );
}
