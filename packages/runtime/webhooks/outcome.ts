import { invalid } from './webhook-error.ts';

/** How a delivery ended; selects its response. */
export type Reason =
  /** Every handler succeeded. */
  | 'handled'
  /** The inbox stored it, valid or not. */
  | 'stored'
  /** Authentic, but encoded, not JSON in UTF-8, refused by the strict checks, or at an unclear path: the inbox stored it. */
  | 'stored-malformed'
  /** All of its events were handled or stored before. */
  | 'duplicate'
  /** Authentic, but matches no kind: `otherwise` handled it. */
  | 'unidentified'
  /** Authentic, but violates the contract: `onInvalid` handled it. */
  | 'invalid'
  /** Authentic, but violates the contract: `onInvalid` took responsibility for it. */
  | 'accepted'
  /** `authenticate` refused it. */
  | 'unauthentic'
  /** Authentic, but not UTF-8, not JSON, or refused by the strict checks; `onInvalid` gets the delivery. */
  | 'malformed-body'
  /** Authentic, but at a path that servers could resolve differently; `onInvalid` gets the delivery. */
  | 'malformed-path'
  /** The HTTP method is not among the accepted ones. */
  | 'wrong-method'
  /** The body did not arrive in time. */
  | 'too-slow'
  /** The body is larger than `maxBodyBytes`. */
  | 'too-large'
  /** Authentic, but the body has a content encoding, such as gzip; `onInvalid` gets the delivery. */
  | 'encoded-body'
  /** The body is incomplete or cannot be read. */
  | 'unreadable'
  /** Other code read the body before the receiver. */
  | 'body-consumed'
  /** `authenticate` threw an error. */
  | 'authentication-failed'
  /** A handler or `onInvalid` threw an error. */
  | 'handler-failed'
  /** A handler, `onInvalid` or `authenticate` did not finish in time. */
  | 'out-of-time'
  /** Another delivery of the same event is being handled. */
  | 'in-progress'
  /** The replay store or the inbox threw an error, did not finish in time, or returned an unknown result. */
  | 'store-failed';

/** A response. It contains no data of the delivery. */
interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The response that an adapter sends, and the reason for it. */
export interface Outcome extends Response {
  readonly reason: Reason;
}

/** Overrides of the default responses, by reason: a status from 200 to 599, or a whole response. */
export type Responses = { readonly [reason in Reason]?: number | Response };

const statuses: Readonly<Record<Reason, number>> = {
  handled: 200,
  stored: 200,
  'stored-malformed': 200,
  duplicate: 200,
  unidentified: 200,
  invalid: 422,
  accepted: 200,
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

/** Reasons for which the body may be incomplete. The response closes the connection, because no request can follow. */
const unread: ReadonlySet<Reason> = new Set<Reason>([
  'wrong-method',
  'too-slow',
  'too-large',
  'unreadable',
]);

/**
 * Creates the response for each reason.
 * @throws WebhookError `invalid-option` for a status outside 200 to 599 or an unknown reason
 */
export function createOutcomes(
  responses: Responses,
  methods: readonly string[],
): Readonly<Record<Reason, Outcome>> {
  const make = (reason: Reason): Outcome => {
    const responseOrStatus = responses[reason] ?? statuses[reason];
    const response =
      typeof responseOrStatus === 'number' ? usual(reason, responseOrStatus) : responseOrStatus;
    const { status } = response;
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw invalid(`the response to ${reason} must have a status from 200 to 599`);
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
  if (unknown !== undefined) throw invalid(`\`responses\` has the unknown reason ${unknown}`);
  return Object.fromEntries(reasons.map((reason) => [reason, make(reason)])) as Record<
    Reason,
    Outcome
  >;
}

/** Returns the default response. It gives the sender only the reason, as a word to look up. */
function usual(reason: Reason, status: number): Response {
  if (status < 300) return { status };
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: `{"error":"${reason}"}`,
  };
}
