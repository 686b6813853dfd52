// How a request carries its proof: secrets, tokens that are obtained and shared, signatures.
import { faultOfSecret } from '../base/index.ts';
import { fromContent, fromJson } from './answer.ts';
import type {
  Answer,
  AnswerPlace,
  ClientEvent,
  Input,
  OperationData,
  ParameterDescription,
  StoredToken,
  TokenStore,
  UnheardEvent,
} from './description.ts';
import {
  ClientError,
  demand,
  factsOf,
  functionFailed,
  guard,
  oneOf,
  startDeadline,
  untilAborted,
  invalidOption,
} from './errors.ts';
import {
  type Draft,
  encodeIdentity,
  formBody,
  hashText,
  redactError,
  simple,
  wellFormed,
} from './request.ts';

/** The number of repetitions that a call has left. A token request that it waits for uses the same budget. */
export interface RetryBudget {
  left: number;
}

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
        invalidOption(`The username for HTTP Basic authentication ${what}.`);
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
 * A function that creates a signer: `createSigner` of the entry `signing` or `signing/key-pairs`, or a compatible
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
  const what =
    fault === 'unset'
      ? 'is a text such as "undefined". Check that its environment variable is set'
      : 'begins or ends with white space, such as the line break at the end of a file. Remove the white space';
  throw invalidOption(`One of the credentials ${what} (credentials).`);
}

/** Maximum milliseconds for a call of the store. Requesting a new token costs only one request. */
const storeTimeoutMs = 2000;

/** The store of a connection, and what its entries depend on. */
export interface SharedTokenOptions {
  readonly store: TokenStore | undefined;
  /** The name of the account that the user gave, for credentials that the client cannot know. */
  readonly accountName: string | undefined;
  /** Returns what identifies the account that an operation is called with: plain data, unless it is unknown. */
  readonly identify: (operation: OperationData, input?: Input) => unknown;
  readonly clock: () => number;
  readonly report: (event: ClientEvent, unheard?: UnheardEvent) => void;
}

/**
 * Wraps a token store so that it never fails and always ends. Failures are reported, and the client continues without
 * the store. The key is a hash of everything that the token depends on: the address of its operation, and all
 * credentials that the operation is called with. Where a part of that is unknown, the tokens are shared only under the
 * name that the user gave to the account.
 */
export function shareTokens(options: SharedTokenOptions): SharedTokens {
  const { store, accountName, identify, clock, report } = options;
  if (store === undefined) return { entry: async () => undefined };
  const guarded = async <T>(
    action: 'get' | 'set',
    secret: string,
    run: () => Promise<T>,
  ): Promise<T | undefined> => {
    const deadline = startDeadline(storeTimeoutMs, undefined);
    try {
      return await untilAborted(run(), deadline.signal);
    } catch (error) {
      report(
        { type: 'token-store-failure', action, cause: redactError(error, [secret]) },
        {
          code: 'COUNTERSIGN_TOKEN_STORE_FAILED',
          message: `\`${action}\` of the token store failed`,
          help: 'The client continues without the store.',
        },
      );
      return undefined;
    } finally {
      deadline.end();
    }
  };
  return {
    async entry(operation, kind, input) {
      const account = encodeIdentity(identify(operation, input));
      if (!account.isKnown && accountName === undefined) {
        report({ type: 'token-store-skipped' });
        return undefined;
      }
      // The first item is the format of the key. Other formats never share an entry with this one.
      const { text } = encodeIdentity(['account 1', accountName, kind, account.text]);
      const key = `countersign:${await hashText(text)}`;
      return {
        get: async () =>
          await guarded('get', '', async () => {
            const entry: unknown = await store.get(key);
            if (entry === undefined || entry === null) return undefined;
            const isValid = isStoredToken(entry);
            if (isValid && clock() < entry.expires) return entry;
            report({ type: 'token-store-entry-ignored', reason: isValid ? 'expired' : 'invalid' });
            return undefined;
          }),
        async set(entry) {
          await guarded('set', entry.token, async () => {
            await store.set(key, entry, entry.expires - clock());
          });
        },
      };
    },
  };
}

/** Returns whether a value can be sent as a token: visible ASCII characters that do not stand for nothing. */
function isToken(value: unknown): value is string {
  return faultOfSecret(value) === undefined && /^[\x21-\x7e]+$/.test(value as string);
}

/** Returns whether an entry of a store is a token. Other programs may write to a shared store. */
function isStoredToken(value: unknown): value is StoredToken {
  const { token, expires, issued = 0 } = (value ?? {}) as Partial<StoredToken>;
  return isToken(token) && Number.isFinite(expires) && Number.isFinite(issued);
}

/** How an access token is obtained and sent. */
export interface AccessTokenDescription {
  /** The operation that issues the token. */
  readonly operation: OperationData;
  /** The location of the token in the response. */
  readonly token: AnswerPlace;
  /** The location of the lifetime in seconds. Without it, the lifetime is 86,400 seconds (one day), or until a 401. */
  readonly lifetime?: AnswerPlace;
  /** The header that carries the token. Default: `authorization`. */
  readonly header?: string;
  /** The template of the header's value, with the placeholder `{token}`. */
  readonly value: string;
  /** For OAuth 2.0. Without it, the account has the input of the operation. */
  readonly oauth?: OauthTokens;
}

/** Tokens of OAuth 2.0. Their responses are those of RFC 6749, section 5: the lifetime can be missing or a text. */
interface OauthTokens {
  /** Returns the request for a token. */
  readonly request: () => TokenInput;
  /** Returns what is wrong with a response, beyond a missing token or lifetime; `undefined` where nothing is. */
  readonly faultOf: (answer: Answer) => string | undefined;
  /** Returns the error of a token request, with what to do about it. */
  readonly explain: (error: unknown) => unknown;
}

/** The maximum lifetime in seconds: one day. A token with a longer lifetime is renewed once a day. */
const maxLifetimeSeconds = 86_400;

/**
 * Milliseconds for which no refusal causes a token request, after a renewed token did not help. Without this limit, a
 * resource that answers every call with 401 would cost a token for each call. Afterwards, one refusal causes a request
 * again, so that a client recovers by itself if the token was revoked meanwhile.
 */
const vainMs = 60_000;

/** Maximum number of operations for which an authorizer knows that a renewed token did not help. */
const maxVain = 1000;

/** The tokens that an authorizer keeps for one account. */
interface Keep {
  held?: StoredToken | undefined;
  /** The held token, if the service has refused it and no renewal has ended since. */
  refused?: StoredToken | undefined;
  flight?: Flight | undefined;
  /** Tokens that were issued again, and operations that refused a new token, with the time until which that counts. */
  readonly vain: Map<string, number>;
  /** The calls that the service has refused. */
  readonly refusedCalls: WeakSet<SecurityContext>;
}

/** A running request for a token, for which any number of calls may wait. */
interface Flight {
  readonly token: Promise<StoredToken>;
  /** The retry budget of the call that started the request. */
  readonly budget: RetryBudget;
  /** The number of retries that the request has used. */
  used: number;
}

/**
 * Creates an authorizer that obtains an access token as the contract describes. It requests the token on first use,
 * once for all calls that wait for it. It keeps the token until 30 seconds before it expires, or until a tenth of a
 * short lifetime is left. If the service answers with 401, it renews the token once, whichever of its users was refused,
 * and keeps the token if the service issues the same one again (RFC 6749, section 5.1, does not forbid that) or no new one.
 * Connections and accounts that use the same authorizer never share a token in it.
 */
export function accessToken(description: AccessTokenDescription, ready: boolean): Authorizer {
  const { operation, token: place, lifetime, value, header = 'authorization' } = description;
  const keeps = new WeakMap<SharedTokens, Keep>();

  const keepOf = ({ shared }: SecurityContext): Keep => {
    const keep = keeps.get(shared) ?? { vain: new Map(), refusedCalls: new WeakSet() };
    keeps.set(shared, keep);
    return keep;
  };

  const obtain = async (
    keep: Keep,
    { shared, requestToken, clock }: SecurityContext,
  ): Promise<StoredToken> => {
    const request = description.oauth?.request();
    const { refused } = keep;
    const entry = await shared.entry(operation, [place, lifetime], request?.input);
    const stored = await entry?.get();
    const isRefused = stored?.token === refused?.token;
    // Another client of the store may have renewed the token after the refusal, and got the same one.
    const isRenewed = !isRefused || (stored?.issued ?? refused?.issued) !== refused?.issued;
    if (stored !== undefined && isRenewed && clock() < stored.expires) {
      if (isRefused) markVain(keep, stored.token, clock());
      // Limits the expiry, because a store could return a later one.
      const expires = Math.min(stored.expires, clock() + 1000 * maxLifetimeSeconds);
      keep.held = { ...stored, expires };
      return keep.held;
    }
    const requested = clock();
    const answer = await requestToken(operation, request).catch((error: unknown) => {
      throw description.oauth?.explain(error) ?? error;
    });
    const token = readToken(description, answer, requested);
    // A clock can stand still. The same token of another issue has to have another time.
    const issued = Math.max(requested, (refused?.issued ?? 0) + 1);
    keep.held = { ...token, issued };
    if (token.token === refused?.token) markVain(keep, token.token, clock());
    await entry?.set(keep.held);
    return keep.held;
  };

  const start = (keep: Keep, context: SecurityContext): Flight => {
    const { refused } = keep;
    const { budget } = context;
    const { left } = budget;
    const started: Flight = {
      budget,
      used: 0,
      token: obtain(keep, context).finally(() => {
        started.used = left - budget.left;
        keep.flight = undefined;
        // If no token was issued, the held one may still be valid for all calls but the refused one.
        if (keep.refused === refused) keep.refused = undefined;
      }),
    };
    return started;
  };

  /**
   * Waits for the token. A call that joins the request of another call pays for its retries from its own budget too.
   */
  const join = async (keep: Keep, context: SecurityContext): Promise<StoredToken> => {
    const joined = (keep.flight ??= start(keep, context));
    const { budget, signal, clock } = context;
    try {
      return await untilAborted(joined.token, signal);
    } catch (error) {
      const { held } = keep;
      if (held === undefined || signal.aborted || keep.refusedCalls.has(context)) throw error;
      if (clock() >= held.expires) throw error;
      return held;
    } finally {
      if (joined.budget !== budget) budget.left = Math.max(0, budget.left - joined.used);
    }
  };

  /** Takes note of a refusal. Returns whether the call can be sent again with a token of another issue. */
  const refuse = (keep: Keep, token: StoredToken, context: SecurityContext): boolean => {
    const { operation: refusing, clock } = context;
    const id = `operation ${refusing.id}`;
    // A token that was just issued is refused too, so the token is not the reason.
    if (keep.refusedCalls.has(context)) markVain(keep, id, clock());
    if ([id, token.token].some((key) => clock() < (keep.vain.get(key) ?? 0))) return false;
    keep.refusedCalls.add(context);
    if (keep.held === token) keep.refused = token;
    return true;
  };

  const write =
    (keep: Keep, token: StoredToken, context: SecurityContext): WriteCredentials =>
    (draft) => {
      draft.secrets.add(token.token);
      draft.secret(
        'headers',
        header,
        value.replaceAll('{token}', () => token.token),
      );
      return () => refuse(keep, token, context);
    };

  return {
    ready,
    issuer: operation,
    writes: [{ in: 'headers', name: header }],
    identity: (ofOperation) => [
      'accessToken',
      place,
      ofOperation(operation, description.oauth?.request().input),
    ],
    prepare(context) {
      const keep = keepOf(context);
      const { held } = keep;
      if (held !== undefined && held !== keep.refused && context.clock() < held.expires)
        return write(keep, held, context);
      return join(keep, context).then((token) => write(keep, token, context));
    },
  };
}

/** Takes note that a renewed token did not help. */
function markVain({ vain }: Keep, key: string, now: number): void {
  if (vain.size >= maxVain) vain.clear();
  vain.set(key, now + vainMs);
}

function readToken(
  { operation, token, lifetime, oauth }: AccessTokenDescription,
  answer: Answer,
  requested: number,
): StoredToken {
  const about = { operation: operation.id, status: answer.status, body: answer.body };
  const fault = (what: string): ClientError =>
    new ClientError('invalid-token', `The response of the token operation ${what}.`, about);
  const isOauth = oauth !== undefined;
  const ofOauth = oauth?.faultOf(answer);
  if (ofOauth !== undefined) throw fault(ofOauth);
  if (answer.status < 200 || answer.status > 299) throw fault(`has the status ${answer.status}`);
  const text = readPlace(answer, token);
  if (!isToken(text)) throw fault('contains no token');
  const stated = lifetime === undefined ? undefined : readSeconds(answer, lifetime, isOauth);
  const isOptional = lifetime === undefined || isOauth;
  const seconds = isOptional ? (stated ?? maxLifetimeSeconds) : stated;
  if (typeof seconds !== 'number' || !(seconds > 0)) {
    throw fault('contains no lifetime of more than 0 seconds');
  }
  const milliseconds = 1000 * Math.min(seconds, maxLifetimeSeconds);
  // Expires 30 seconds early, so that a running call still arrives in time; for a short lifetime, a tenth of it.
  const expires = requested + milliseconds - Math.min(30_000, milliseconds / 10);
  return { token: text, expires };
}

/** Returns a number of seconds. A header has it as text. */
function readSeconds(answer: Answer, place: AnswerPlace, allowsText: boolean): unknown {
  const seconds = readPlace(answer, place);
  const isText =
    ('header' in place || allowsText) && typeof seconds === 'string' && /^\d+$/.test(seconds);
  return isText ? Number(seconds) : seconds;
}

/** Returns the value at a place of a response; `undefined` if there is none, and `null` for a header. */
export function readPlace(answer: Answer, place: AnswerPlace): unknown {
  if ('header' in place) return answer.headers.get(place.header);
  let value = answer.body;
  for (const member of place.body) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member))
      return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}

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
  demand('sentIn of the credentials', oneOf('basic', 'body'), sentIn);
  const body = {
    ...parameters,
    grant_type: 'client_credentials',
    ...(scope === '' ? {} : { scope }),
  };
  if (sentIn === 'body') {
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
    throw invalidOption('The client ID or its secret contains a lone surrogate.');
  }
}
