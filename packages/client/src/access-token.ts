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
}

/** The maximum lifetime in seconds: one day. A token with a longer lifetime is renewed once a day. */
const maxLifetimeSeconds = 86_400;

/** The tokens that an authorizer keeps for one account. */
interface Keep {
  held?: StoredToken | undefined;
  /** The last token that the service has refused. */
  refused?: string | undefined;
  flight?: Flight | undefined;
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
 * short lifetime is left. It renews the token once per call where the service answers with 401. Connections and accounts
 * that use the same authorizer never share a token in it.
 */
export function accessToken(description: AccessTokenDescription, ready: boolean): Authorizer {
  const { operation, token: place, lifetime, value, header = 'authorization' } = description;
  const keeps = new WeakMap<SharedTokens, Keep>();

  const keepOf = ({ shared }: SecurityContext): Keep => {
    const keep = keeps.get(shared) ?? {};
    keeps.set(shared, keep);
    return keep;
  };

  const isFresh = (keep: Keep, token: StoredToken, now: number): boolean =>
    token.token !== keep.refused && now < token.expires;

  const obtain = async (
    keep: Keep,
    { shared, requestToken, clock }: SecurityContext,
  ): Promise<StoredToken> => {
    const request = description.oauth?.request();
    const entry = await shared.entry(operation, [place, lifetime], request?.input);
    const stored = await entry?.get();
    if (stored !== undefined && isFresh(keep, stored, clock())) {
      // Limits the expiry, because a store could return a later one.
      const expires = Math.min(stored.expires, clock() + 1000 * maxLifetimeSeconds);
      keep.held = { ...stored, expires };
      return keep.held;
    }
    const requested = clock();
    const issued = readToken(description, await requestToken(operation, request), requested);
    keep.held = issued;
    await entry?.set(issued);
    return issued;
  };

  const start = (keep: Keep, context: SecurityContext): Flight => {
    const { budget } = context;
    const { left } = budget;
    const started: Flight = {
      budget,
      used: 0,
      token: obtain(keep, context).finally(() => {
        started.used = left - budget.left;
        keep.flight = undefined;
      }),
    };
    return started;
  };

  /**
   * Waits for the token. A call that joins the request of another call pays for its retries from its own budget too.
   */
  const join = async (keep: Keep, context: SecurityContext): Promise<string> => {
    const joined = (keep.flight ??= start(keep, context));
    const { budget, signal } = context;
    try {
      return (await untilAborted(joined.token, signal)).token;
    } finally {
      if (joined.budget !== budget) budget.left = Math.max(0, budget.left - joined.used);
    }
  };

  const write =
    (keep: Keep, token: string): WriteCredentials =>
    (draft) => {
      draft.secrets.add(token);
      draft.secret(
        'headers',
        header,
        value.replaceAll('{token}', () => token),
      );
      return () => {
        if (keep.held?.token === token) keep.held = undefined;
        keep.refused = token;
      };
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
      if (held !== undefined && isFresh(keep, held, context.clock()))
        return write(keep, held.token);
      return join(keep, context).then((token) => write(keep, token));
    },
  };
}

function readToken(
  { operation, token, lifetime, oauth }: AccessTokenDescription,
  answer: Answer,
  requested: number,
): StoredToken {
  const about = { operation: operation.id, status: answer.code, body: answer.body };
  const fault = (what: string): ClientError =>
    new ClientError('invalid-token', `The response of the token operation ${what}.`, about);
  const isOauth = oauth !== undefined;
  const ofOauth = oauth?.faultOf(answer);
  if (ofOauth !== undefined) throw fault(ofOauth);
  if (answer.code < 200 || answer.code > 299) throw fault(`has the status ${answer.code}`);
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
  return { token: text, expires: requested + milliseconds - Math.min(30_000, milliseconds / 10) };
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
