import { ClientError } from './client-error.ts';
import { untilAborted } from './deadline.ts';
import type { Answer, OperationData } from './operation.ts';
import type { RetryBudget } from './retry.ts';
import type {
  Authorizer,
  SecurityContext,
  SharedTokens,
  TokenInput,
  WriteCredentials,
} from './security.ts';
import { isToken, type StoredToken } from './token-store.ts';

/** The location of a value in a response: a path of members in the body, or the name of a header. */
export type AnswerPlace = { readonly body: readonly string[] } | { readonly header: string };

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
  const text = read(answer, token);
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
  const seconds = read(answer, place);
  const isText =
    ('header' in place || allowsText) && typeof seconds === 'string' && /^\d+$/.test(seconds);
  return isText ? Number(seconds) : seconds;
}

function read(answer: Answer, place: AnswerPlace): unknown {
  if ('header' in place) return answer.headers.get(place.header);
  let value = answer.body;
  for (const member of place.body) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member))
      return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}
