import { ClientError } from './client-error.ts';
import { untilAborted } from './deadline.ts';
import type { Draft } from './draft.ts';
import { functionFailed, guard } from './given.ts';
import type { Answer, OperationData } from './operation.ts';
import type { RetryBudget } from './retry.ts';
import type { StoredToken } from './token-store.ts';

/** What a security scheme needs from the call that it authorises. */
export interface SecurityContext {
  readonly clock: () => number;
  /** Aborted when the call has run out of time, or by its caller. */
  readonly signal: AbortSignal;
  /** What the call may still repeat; a token request draws on it. */
  readonly budget: RetryBudget;
  /** Makes a token request. It has the time limits of the client: other calls may wait for its answer too. */
  readonly requestToken: (operation: OperationData) => Promise<Answer>;
  readonly shared: SharedTokens;
}

/** A guarded store: it never fails and never hangs. */
export interface SharedTokens {
  /** The token of an operation that is valid and has not expired. */
  readonly get: (operation: string) => Promise<StoredToken | undefined>;
  readonly set: (operation: string, token: StoredToken) => Promise<void>;
}

/** Forgets what a 401 has proved to be invalid. */
export type Forget = () => void;

/** Writes credentials into a request; may return a way to renew them. */
export type WriteCredentials = (draft: Draft) => void | Forget | Promise<void | Forget>;

/** A security scheme with its credentials, which it shows to nobody. */
export interface Authoriser {
  /** Whether the credentials it needs were given. */
  readonly ready: boolean;
  /** Signs what all others have written. */
  readonly last?: true;
  /**
   * Obtains the credentials. Returns a promise only where it has to wait: the request is then made after the wait, so
   * that nothing in it that depends on the time is older than its sending.
   */
  readonly prepare: (context: SecurityContext) => WriteCredentials | Promise<WriteCredentials>;
}

/** A key in a header, in the query or in a cookie. */
export function apiKey(
  place: 'headers' | 'query' | 'cookies',
  name: string,
  key: string | undefined,
): Authoriser {
  return {
    ready: given(key),
    prepare: () => (draft) => draft.secret(place, name, key ?? ''),
  };
}

/** HTTP's Basic scheme (RFC 7617). */
export function basic(
  credentials: { readonly username: string; readonly password: string } | undefined,
): Authoriser {
  return {
    ready: given(credentials?.username),
    prepare: () => (draft) => {
      const { username, password } = credentials ?? { username: '', password: '' };
      if (username.includes(':'))
        throw new ClientError('invalid-option', 'A username has a colon.');
      const bytes = new TextEncoder().encode(`${username}:${password}`);
      draft.secret('headers', 'authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
    },
  };
}

/** A token that the application has, or a function that returns the current one. */
export type GivenToken = string | (() => string | Promise<string>);

/** A token of the application's own in the `Authorization` header; `scheme` is the word before it, or empty. */
export function bearer(scheme: string, token: GivenToken | undefined): Authoriser {
  const write =
    (current: string): WriteCredentials =>
    (draft) =>
      draft.secret('headers', 'authorization', `${scheme} ${current}`.trimStart());
  const toText = (current: unknown): string => {
    if (typeof current === 'string' && current !== '') return current;
    throw functionFailed('credentials', new Error('The function of the token returned no text.'));
  };
  return {
    ready: given(token),
    prepare({ signal }) {
      if (typeof token !== 'function') return write(token ?? '');
      const current = guard('credentials', token)();
      if (typeof current === 'string') return write(toText(current));
      return untilAborted(Promise.resolve(current), signal).then((text) => write(toText(text)));
    },
  };
}

/** What makes signatures: `createSigner` of `@countersign/signing`, or another that does the same. */
export type CreateSigner<Scheme> = (
  scheme: Scheme,
  options: { readonly key: string | Uint8Array; readonly clock: () => number },
) => Signer;

/** Answers with the headers that make a request authentic; throws where it cannot be signed. */
export interface Signer {
  readonly sign: (request: {
    readonly method: string;
    readonly url: string;
    readonly body: Uint8Array;
    readonly headers: (name: string) => readonly string[];
  }) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** A signature over the request; made last. */
export function signature<Scheme>(
  createSigner: CreateSigner<Scheme>,
  scheme: Scheme,
  key: string | Uint8Array | undefined,
): Authoriser {
  let signer: Signer | undefined;
  return {
    ready: given(key),
    last: true,
    prepare:
      ({ clock }) =>
      async ({ method, url, body, headers, secret }) => {
        let signed: Readonly<Record<string, string>>;
        try {
          signer ??= createSigner(scheme, { key: key ?? '', clock });
          signed = await signer.sign({
            method,
            url,
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

/** Nothing to write: the connection itself, or a party outside, does what the scheme asks for. */
export function outside(): Authoriser {
  return { ready: true, prepare: () => () => undefined };
}

/** Whether credentials were given, all of them. */
export function given(...credentials: readonly unknown[]): boolean {
  return credentials.every((credential) => (credential ?? '') !== '');
}
