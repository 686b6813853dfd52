import { ClientError } from './client-error.ts';
import { untilAborted } from './deadline.ts';
import type { Answer, OperationData } from './operation.ts';
import type { RetryBudget } from './retry.ts';
import type { Authoriser, SecurityContext, WriteCredentials } from './security.ts';
import { isToken, type StoredToken } from './token-store.ts';

/** Where a value stands in an answer: the members that lead to it in the body, or the name of a header. */
export type AnswerPlace = { readonly body: readonly string[] } | { readonly header: string };

/** How an access token is come by and how it is shown. */
export interface AccessTokenDescription {
  /** The operation that issues it. */
  readonly operation: OperationData;
  readonly token: AnswerPlace;
  /** Its lifetime in seconds; where the contract has none, a token is used until it is refused. */
  readonly lifetime?: AnswerPlace;
  /** The header that carries it. Default: `authorization`. */
  readonly header?: string;
  /** The value of the header, with `{token}` where the token stands. */
  readonly value: string;
}

/** Seconds of a day. A token with a longer lifetime is renewed once a day. */
const maxLifetime = 86_400;

/** A request for a token, for which any number of calls may wait. */
interface Flight {
  readonly token: Promise<StoredToken>;
  /** The budget of the call that has started it. */
  readonly budget: RetryBudget;
  /** How much of the budget it has used. */
  used: number;
}

/**
 * A token that the contract says how to obtain: requested when it is first needed, once for all calls that wait for
 * it, kept until shortly before it expires, and renewed once where the service refuses it.
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
      // A store cannot make a token live longer than any.
      held = { ...stored, expires: Math.min(stored.expires, clock() + 1000 * maxLifetime) };
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

  /** Waits for the token. A call that joins the flight of another has repeated what that one has repeated. */
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
    new ClientError('invalid-token', `The answer of the token operation ${what}.`, about);
  if (answer.code < 200 || answer.code > 299) throw fault(`has the status ${answer.code}`);
  const text = read(answer, token);
  if (!isToken(text)) throw fault('holds no token');
  const seconds = lifetime === undefined ? maxLifetime : read(answer, lifetime);
  if (typeof seconds !== 'number' || !(seconds > 0)) {
    throw fault('gives the token no lifetime in seconds');
  }
  const milliseconds = 1000 * Math.min(seconds, maxLifetime);
  // Half a minute for a call under way to arrive, or a tenth of a life that is short.
  return { token: text, expires: requested + milliseconds - Math.min(30_000, milliseconds / 10) };
}

function read(answer: Answer, place: AnswerPlace): unknown {
  if ('header' in place) {
    const text = answer.headers.get(place.header);
    return text !== null && /^\d+$/.test(text) ? Number(text) : text;
  }
  let value = answer.body;
  for (const member of place.body) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member))
      return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}
