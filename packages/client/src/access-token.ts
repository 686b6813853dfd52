import { ClientError } from './client-error.ts';
import { untilAborted } from './deadline.ts';
import type { Answer, OperationData } from './operation.ts';
import type { Authoriser, Surroundings } from './security.ts';
import { isStoredToken, type StoredToken } from './token-store.ts';

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

/** A day: a token that claims to live longer is renewed once a day all the same. */
const longestLifetime = 86_400;

/**
 * A token that the contract says how to obtain: asked for when it is first needed, once for all calls that wait for
 * it, kept until shortly before it ends, and renewed once where the service refuses it.
 */
export function accessToken(description: AccessTokenDescription, ready: boolean): Authoriser {
  const { operation, value, header = 'authorization' } = description;
  let held: StoredToken | undefined;
  let refused: string | undefined;
  let flight: Promise<StoredToken> | undefined;

  const isFresh = (token: StoredToken, now: number): boolean =>
    token.token !== refused && now < token.expires;

  const obtain = async ({ shared, call, clock }: Surroundings): Promise<StoredToken> => {
    const stored = await shared.get(operation.id);
    if (isStoredToken(stored) && isFresh(stored, clock())) {
      // A store cannot make a token live longer than any.
      held = { ...stored, expires: Math.min(stored.expires, clock() + 1000 * longestLifetime) };
      return held;
    }
    const asked = clock();
    held = readToken(description, await call(operation), asked);
    await shared.set(operation.id, held.token, held.expires);
    return held;
  };

  return {
    ready,
    async apply(draft, surroundings) {
      let current = held;
      if (current === undefined || !isFresh(current, surroundings.clock())) {
        flight ??= obtain(surroundings).finally(() => {
          flight = undefined;
        });
        current = await untilAborted(flight, surroundings.signal);
      }
      const { token } = current;
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
    },
  };
}

function readToken(
  { operation, token, lifetime }: AccessTokenDescription,
  answer: Answer,
  asked: number,
): StoredToken {
  const about = { operation: operation.id, status: answer.code, body: answer.body };
  const fault = (what: string): ClientError =>
    new ClientError('invalid-token', `The answer of the token operation ${what}.`, about);
  if (answer.code < 200 || answer.code > 299) throw fault(`has the status ${answer.code}`);
  const text = read(answer, token);
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text)) throw fault('holds no token');
  const seconds = lifetime === undefined ? longestLifetime : read(answer, lifetime);
  if (typeof seconds !== 'number' || !(seconds > 0)) {
    throw fault('gives the token no lifetime in seconds');
  }
  const milliseconds = 1000 * Math.min(seconds, longestLifetime);
  // Half a minute for a call under way to arrive, or a tenth of a life that is short.
  return { token: text, expires: asked + milliseconds - Math.min(30_000, milliseconds / 10) };
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
