import { invalid } from './webhook-error.ts';

/** How a delivery ended: the key of its response. */
export type Reason =
  /** Every handler succeeded. */
  | 'handled'
  /** All of it was handled before. */
  | 'duplicate'
  /** Authentic, matching no kind: `otherwise` had it. */
  | 'unidentified'
  /** Authentic, but not what the contract says: `onInvalid` had it. */
  | 'invalid'
  | 'unauthentic'
  /** Not UTF-8, not JSON, or refused by the strict scan. */
  | 'malformed-body'
  /** A path that two servers would read in two ways. */
  | 'malformed-path'
  | 'wrong-method'
  /** The body did not come in time. */
  | 'too-slow'
  | 'too-large'
  | 'encoded-body'
  /** The body ended before it was whole. */
  | 'unreadable'
  /** Something read the body before the receiver. */
  | 'body-consumed'
  /** `authenticate` threw an error. */
  | 'authentication-failed'
  | 'handler-failed'
  /** A handler, `onInvalid` or `authenticate` did not answer in time. */
  | 'out-of-time'
  /** The same delivery is being handled right now. */
  | 'in-progress'
  /** The replay store threw an error, did not answer a claim in time, or gave an unknown answer. */
  | 'store-failed';

/** A response, without anything of the delivery in it. */
export interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What an adapter answers with, and why. */
export interface Outcome extends Response {
  readonly reason: Reason;
}

/** Answers other than the usual ones: a status, or a whole response. */
export type Responses = { readonly [reason in Reason]?: number | Response };

const statuses: Readonly<Record<Reason, number>> = {
  handled: 200,
  duplicate: 200,
  unidentified: 200,
  invalid: 422,
  unauthentic: 401,
  'malformed-body': 400,
  'malformed-path': 404,
  'wrong-method': 405,
  'too-slow': 408,
  'too-large': 413,
  'encoded-body': 415,
  unreadable: 400,
  'body-consumed': 500,
  'authentication-failed': 500,
  'handler-failed': 500,
  'out-of-time': 503,
  'in-progress': 503,
  'store-failed': 503,
};

/** The whole body was not read, so nothing else can follow on this connection. */
const unread: ReadonlySet<Reason> = new Set<Reason>([
  'wrong-method',
  'too-slow',
  'too-large',
  'encoded-body',
  'unreadable',
]);

/** The response to each outcome, ready made. Throws a WebhookError for a status that is none. */
export function createOutcomes(
  responses: Responses,
  methods: readonly string[],
): Readonly<Record<Reason, Outcome>> {
  const make = (reason: Reason): Outcome => {
    const given = responses[reason] ?? statuses[reason];
    const response = typeof given === 'number' ? usual(reason, given) : given;
    const { status } = response;
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw invalid(`the response to ${reason} has no usable status`);
    const headers = {
      ...(reason === 'wrong-method' ? { allow: methods.join(', ') } : {}),
      ...(reason === 'in-progress' || reason === 'out-of-time' ? { 'retry-after': '5' } : {}),
      ...(unread.has(reason) ? { connection: 'close' } : {}),
      ...response.headers,
    };
    return Object.freeze({ ...response, headers: Object.freeze(headers), reason });
  };
  const reasons = Object.keys(statuses) as readonly Reason[];
  const unknown = Object.keys(responses).find((reason) => !Object.hasOwn(statuses, reason));
  if (unknown !== undefined) throw invalid(`there is no outcome ${unknown} to respond to`);
  return Object.fromEntries(reasons.map((reason) => [reason, make(reason)])) as Record<
    Reason,
    Outcome
  >;
}

/** The outcome in one word, so that whoever sends can look it up; nothing that it could learn from. */
function usual(reason: Reason, status: number): Response {
  if (status < 300) return { status };
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: `{"error":"${reason}"}`,
  };
}
