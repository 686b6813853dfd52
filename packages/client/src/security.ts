import type { Draft } from './draft.ts';
import { ClientError } from './client-error.ts';
import type { Answer, OperationData } from './operation.ts';

/** What a security scheme needs from the client it belongs to. */
export interface Surroundings {
  readonly clock: () => number;
  readonly signal: AbortSignal | undefined;
  /** Makes a call without the caller's signal: its answer belongs to everybody. */
  readonly call: (operation: OperationData) => Promise<Answer>;
  readonly shared: SharedTokens;
}

/** A guarded store: it never fails and never hangs. */
export interface SharedTokens {
  readonly get: (operation: string) => Promise<unknown>;
  readonly set: (operation: string, token: string, expires: number) => Promise<void>;
}

/** Forgets what a 401 has proved to be invalid. */
export type Forget = () => void;

/** A security scheme with its credentials, which it shows to nobody. */
export interface Authoriser {
  /** Whether the credentials it needs were given. */
  readonly ready: boolean;
  /** Signs what all others have written. */
  readonly last?: true;
  /** Writes the credentials into a request; may answer with a way to renew them. */
  readonly apply: (
    draft: Draft,
    surroundings: Surroundings,
  ) => void | Forget | Promise<void | Forget>;
}

/** A key in a header, in the query or in a cookie. */
export function apiKey(
  place: 'headers' | 'query' | 'cookies',
  name: string,
  key: string | undefined,
): Authoriser {
  return {
    ready: given(key),
    apply(draft) {
      draft.secret(place, name, key ?? '');
    },
  };
}

/** HTTP's Basic scheme (RFC 7617). */
export function basic(
  credentials: { readonly username: string; readonly password: string } | undefined,
): Authoriser {
  return {
    ready: given(credentials?.username),
    apply(draft) {
      const { username, password } = credentials ?? { username: '', password: '' };
      if (username.includes(':'))
        throw new ClientError('invalid-option', 'A username has a colon.');
      const bytes = new TextEncoder().encode(`${username}:${password}`);
      draft.secret('headers', 'authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
    },
  };
}

/** A token that the application has, or a function that answers with the current one. */
export type GivenToken = string | (() => string | Promise<string>);

/** A token of the application's own in the `Authorization` header; `scheme` is the word before it, or empty. */
export function bearer(scheme: string, token: GivenToken | undefined): Authoriser {
  return {
    ready: given(token),
    async apply(draft) {
      const current = typeof token === 'function' ? await token() : token;
      draft.secret('headers', 'authorization', `${scheme} ${current}`.trimStart());
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
    async apply({ method, url, body, headers, secret }, { clock }) {
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
  return { ready: true, apply: () => undefined };
}

/** Whether credentials were given, all of them. */
export function given(...credentials: readonly unknown[]): boolean {
  return credentials.every((credential) => (credential ?? '') !== '');
}
