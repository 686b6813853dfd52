import { ClientError } from './client-error.ts';
import { untilAborted } from './deadline.ts';
import type { Answer, OperationData } from './operation.ts';
import type { RetryBudget } from './retry.ts';
import type { Authoriser, SecurityContext, WriteCredentials } from './security.ts';
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
}

/** The maximum lifetime in seconds: one day. A token with a longer lifetime is renewed once a day. */
const maxLifetimeSeconds = 86_400;

/** A running request for a token, for which any number of calls may wait. */
interface Flight {
  readonly token: Promise<StoredToken>;
  /** The retry budget of the call that started the request. */
  readonly budget: RetryBudget;
  /** The number of retries that the request has used. */
  used: number;
}

/**
 * Creates an authoriser that obtains an access token as the contract describes. It requests the token on first use,
 * once for all calls that wait for it. It keeps the token until 30 seconds before it expires, or until a tenth of a
 * short lifetime is left. It renews the token once per call where the service answers with 401.
 */
export function accessToken(description: AccessTokenDescription, ready: boolean): Authoriser {
  const { operation, value, header = 'authorization' } = description;
  let held: StoredToken | undefined;
  let refused: string | undefined;
  let flight: Flight | undefined;

  const isFresh = (token: StoredToken, now: number): boolean =>
    token.token !== refused && now < token.expires;

  const obtain = async ({ shared, requestToken, clock }: SecurityContext): Promise<StoredToken> => {
    const stored = await shared.get(operation.id);
    if (stored !== undefined && isFresh(stored, clock())) {
      // Limits the expiry, because a store could return a later one.
      held = { ...stored, expires: Math.min(stored.expires, clock() + 1000 * maxLifetimeSeconds) };
      return held;
    }
    const requested = clock();
    held = readToken(description, await requestToken(operation), requested);
    await shared.set(operation.id, held);
    return held;
  };

  const start = (context: SecurityContext): Flight => {
    const { budget } = context;
    const { left } = budget;
    const started: Flight = {
      budget,
      used: 0,
      token: obtain(context).finally(() => {
        started.used = left - budget.left;
        flight = undefined;
      }),
    };
    return started;
  };

  /**
   * Waits for the token. A call that joins the request of another call pays for its retries from its own budget too.
   */
  const join = async (context: SecurityContext): Promise<string> => {
    flight ??= start(context);
    const joined = flight;
    const { budget, signal } = context;
    try {
      return (await untilAborted(joined.token, signal)).token;
    } finally {
      if (joined.budget !== budget) budget.left = Math.max(0, budget.left - joined.used);
    }
  };

  const write =
    (token: string): WriteCredentials =>
    (draft) => {
      draft.secrets.add(token);
      draft.secret(
        'headers',
        header,
        value.replaceAll('{token}', () => token),
      );
      return () => {
        if (held?.token === token) held = undefined;
        refused = token;
      };
    };

  return {
    ready,
    prepare(context) {
      if (held !== undefined && isFresh(held, context.clock())) return write(held.token);
      return join(context).then(write);
    },
  };
}

function readToken(
  { operation, token, lifetime }: AccessTokenDescription,
  answer: Answer,
  requested: number,
): StoredToken {
  const about = { operation: operation.id, status: answer.code, body: answer.body };
  const fault = (what: string): ClientError =>
    new ClientError('invalid-token', `The response of the token operation ${what}.`, about);
  if (answer.code < 200 || answer.code > 299) throw fault(`has the status ${answer.code}`);
  const text = read(answer, token);
  if (!isToken(text)) throw fault('contains no token');
  const seconds = lifetime === undefined ? maxLifetimeSeconds : readSeconds(answer, lifetime);
  if (typeof seconds !== 'number' || !(seconds > 0)) {
    throw fault('contains no lifetime of more than 0 seconds');
  }
  const milliseconds = 1000 * Math.min(seconds, maxLifetimeSeconds);
  // Expires 30 seconds early, so that a running call still arrives in time; for a short lifetime, a tenth of it.
  return { token: text, expires: requested + milliseconds - Math.min(30_000, milliseconds / 10) };
}

/** Returns a number of seconds. A header has it as text. */
function readSeconds(answer: Answer, place: AnswerPlace): unknown {
  const seconds = read(answer, place);
  const isText = 'header' in place && typeof seconds === 'string' && /^\d+$/.test(seconds);
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
