/** Proofs that a delivery is authentic, alone and combined: shared secrets, and signatures that a verifier checks. */

import {
  type PublicUrl,
  type SecretFault,
  createSignedUrlMapping,
  faultOfSecret,
} from '../base/index.ts';
import {
  type DeliveredRequest,
  type MaybePromise,
  WebhookError,
  assertHeaderName,
  invalid,
  joinedSegments,
  mapMaybePromise,
  pathSegments,
  queryValues,
  splitTarget,
} from './contract.ts';

/** Why a strategy for secrets or credentials refuses a delivery. */
export type SecretFailure =
  /** The delivery has no secret where the strategy reads one. */
  | 'missing-secret'
  /** The delivery has several secrets where there must be one. */
  | 'repeated-secret'
  /** The secret is none of those that the strategy accepts. */
  | 'wrong-secret'
  /** A header of `withHeader` is missing, repeated, or has another value. */
  | 'wrong-header';

/** The result of an authentication. The reason is for the receiver's log; senders never see it. */
export type Verdict<Reason extends string = string> =
  | {
      readonly ok: true;
      /**
       * The decoded segments of the path that are secret. The receiver reads, passes on and stores the path without
       * them.
       */
      readonly secretSegments?: readonly string[];
    }
  | { readonly ok: false; readonly reason: Reason };

/**
 * Authenticates a delivery. Any result other than `true` and `{ ok: true }` refuses it. An error that it throws is
 * answered with status 500 by default, because a sender that repeats failed deliveries can then repeat it.
 */
export interface Authentication extends ForAdapters {
  (request: DeliveredRequest): MaybePromise<boolean | Verdict>;
}

/** The adapters that differ in what they know of a connection. Those of Node's frameworks are `node`. */
export type AdapterName = 'aws-lambda' | 'cloudflare' | 'fetch' | 'hono' | 'node';

/** What not every adapter can serve. */
export interface ForAdapters {
  /**
   * Admits an adapter that provides what is read of a connection. Adapters call it when they are created. A function that
   * wraps another one and lacks it admits every adapter; deliveries that lack the connection then fail.
   * @throws WebhookError `invalid-option` for an adapter that does not provide it
   */
  admit?: ((adapter: AdapterName | undefined) => void) | undefined;
}

/**
 * Creates an authentication that accepts every delivery. Use it only where another component in front of the receiver
 * authenticates deliveries.
 */
export function unauthenticated(): Authentication {
  return () => true;
}

/** Creates an authentication from a verifier of the entry `signing`, or from any object with the same method. */
export function verifiedBy(verifier: {
  readonly verify: (request: DeliveredRequest) => MaybePromise<Verdict>;
}): Authentication {
  return (request) => verifier.verify(request);
}

/**
 * Creates an authentication that succeeds where all strategies do. It calls them in order and stops at the first
 * refusal.
 * @throws WebhookError `invalid-option` where there is no strategy, or one is not a function
 */
export function allOf(...strategies: readonly Authentication[]): Authentication {
  return combine(strategies, false);
}

/**
 * Creates an authentication that succeeds where one of the strategies does. It calls them in order and stops at the
 * first success. If all refuse, the reason is that of the last.
 * @throws WebhookError `invalid-option` where there is no strategy, or one is not a function
 */
export function anyOf(...strategies: readonly Authentication[]): Authentication {
  return combine(strategies, true);
}

/** Returns the reason of a refusal, or `undefined` for an authentic delivery. */
export function refusalOf(verdict: unknown): string | undefined {
  // Untyped code can return anything: values that are merely truthy count as refusals.
  const { ok, reason } = Object(verdict) as { readonly ok?: unknown; readonly reason?: unknown };
  return verdict === true || ok === true
    ? undefined
    : typeof reason === 'string'
      ? reason
      : 'refused';
}

/** Returns the secret segments of an authentic delivery. */
export function secretSegmentsOf(verdict: unknown): readonly string[] {
  const { secretSegments } = Object(verdict) as { readonly secretSegments?: unknown };
  return Array.isArray(secretSegments) ? (secretSegments as readonly string[]) : [];
}

function combine(strategies: readonly Authentication[], decisive: boolean): Authentication {
  assertStrategies(strategies);
  const authenticate: Authentication = (request) => tryStrategies(strategies, 0, request, decisive);
  return Object.assign(authenticate, {
    admit: (adapter: AdapterName | undefined) => {
      for (const strategy of strategies) strategy.admit?.(adapter);
    },
  });
}

/** Calls the strategies in order, until one returns the decisive result. */
function tryStrategies(
  strategies: readonly Authentication[],
  index: number,
  request: DeliveredRequest,
  decisive: boolean,
  before: readonly string[] = [],
): MaybePromise<Verdict> {
  const decide = (verdict: boolean | Verdict): MaybePromise<Verdict> => {
    const reason = refusalOf(verdict);
    const secretSegments = [...before, ...secretSegmentsOf(verdict)];
    const ok = reason === undefined;
    if (index < strategies.length - 1 && ok !== decisive)
      return tryStrategies(strategies, index + 1, request, decisive, secretSegments);
    return ok ? { ok, secretSegments } : { ok, reason };
  };
  return mapMaybePromise(strategies[index]?.(request) ?? false, decide);
}

function assertStrategies(strategies: readonly Authentication[]): void {
  if (strategies.length === 0 || strategies.some((strategy) => typeof strategy !== 'function'))
    throw invalid(
      'every strategy of `allOf` and `anyOf` must be a function, and there must be at least one',
    );
}

const messages: Readonly<Record<SecretFault, string>> = {
  blank: 'is missing or empty. Check that its environment variable is set',
  unset: 'is a text such as `undefined`. Check that its environment variable is set',
  'white-space':
    'begins or ends with white space, such as the line break at the end of a file. Remove the white space',
};

/**
 * Asserts that a secret, or a part of one, can be one.
 * @param what its name in the message
 * @throws WebhookError `missing-secret` for nothing and for texts such as `undefined`, `invalid-option` for a text that
 * begins or ends with white space
 */
export function assertSecret(secret: unknown, what = 'The secret'): void {
  const fault = faultOfSecret(secret);
  if (fault === undefined) return;
  throw new WebhookError(
    fault === 'white-space' ? 'invalid-option' : 'missing-secret',
    `${what} ${messages[fault]}.`,
  );
}

/**
 * Creates a test of whether one of the given texts is one of the secrets. The number of steps depends only on the given
 * texts, so that the duration reveals neither content nor length of a secret.
 * @param formsOf returns the texts as which a sender can write a secret; by default, the secret itself
 * @throws WebhookError `missing-secret` where there is no secret, or one is empty, `invalid-option` for one that begins or
 * ends with white space
 */
export function createSecretTest(
  secrets: string | readonly string[],
  formsOf: (secret: string) => readonly string[] = (secret) => [secret],
): (texts: readonly string[]) => boolean {
  const list = [secrets].flat();
  if (list.length === 0) assertSecret(undefined);
  for (const secret of list) assertSecret(secret);
  const tests = [...new Set(list.flatMap(formsOf))].map(createComparison);
  return (texts) => {
    let isFound = false;
    for (const isEqual of tests) for (const text of texts) isFound = isEqual(text) || isFound;
    return isFound;
  };
}

/**
 * Creates an authentication for requests that have the header exactly once, with one of the values, and that `next`
 * authenticates.
 * @param name the header's name in lower case
 * @throws WebhookError `missing-secret` where there is no value, or one is empty
 */
export function withHeader(
  name: string,
  values: string | readonly string[],
  next: Authentication,
): Authentication {
  const isExpected = createSecretTest(values);
  return (request) => {
    const headerValues = request.headers(name);
    return headerValues.length === 1 && isExpected(headerValues)
      ? next(request)
      : ({ ok: false, reason: 'wrong-header' } satisfies Verdict<SecretFailure>);
  };
}

/** Returns a function that compares texts with a secret, in one step for each character of the text. */
function createComparison(secret: string): (text: string) => boolean {
  // The table has an entry for every character of a text, also behind the end of the secret: of a long text, the last
  // bits of the index. Its size shows only that a secret has more than 256 characters.
  const size = 2 ** Math.max(8, Math.ceil(Math.log2(secret.length)));
  const units = Uint16Array.from({ length: size }, (_, index) => secret.charCodeAt(index));
  return (text) => {
    let difference = text.length ^ secret.length;
    for (let index = 0; index < text.length; index++)
      difference |= text.charCodeAt(index) ^ (units[index & (size - 1)] ?? 0);
    return difference === 0;
  };
}

/**
 * Where a request carries the secret; `path` means in one of the segments of the path. Servers, proxies and load balancers
 * write paths to their access logs, so prefer a header where the sender can set one.
 */
export type SecretPlace =
  | { readonly header: string }
  | { readonly query: string }
  | { readonly path: true };

/** Maximum number of path segments to compare. Each costs time before the request is authenticated. */
const maxSegments = 32;

/**
 * Creates an authentication for requests that carry one of the secrets; give several during a rotation. It compares in
 * constant time for any length. A secret authenticates the sender, but does not protect the content against changes. The
 * receiver reads and stores a path without the segment that is the secret.
 * @throws WebhookError `missing-secret` for an empty secret, `invalid-option` for an unknown place, for a secret that begins
 * or ends with white space, and for one that cannot be a segment of a path, such as one with `/`
 */
export function sharedSecret(
  place: SecretPlace,
  secrets: string | readonly string[],
): Authentication {
  if (!Object.values({ ...place }).some(Boolean))
    throw invalid('the place of a shared secret must be `header`, `query` or `path`');
  if ('header' in place) assertHeaderName(place.header, '`header` of a shared secret');
  const isSecret = createSecretTest(secrets);
  const isInPath = 'path' in place;
  if (isInPath && ![secrets].flat().every(canBeSegment))
    throw invalid(
      'a secret in the path must be one segment of it: without `/` and `\\`, and not `.` or `..`',
    );
  return ({ headers, url }): Verdict<SecretFailure> => {
    const requestSecrets = secretsAt(place, url, headers);
    if (requestSecrets === undefined) return { ok: false, reason: 'repeated-secret' };
    if (requestSecrets.length === 0 || requestSecrets.length > maxSegments)
      return { ok: false, reason: 'missing-secret' };
    if (!isSecret(requestSecrets)) return { ok: false, reason: 'wrong-secret' };
    if (!isInPath) return { ok: true };
    return { ok: true, secretSegments: requestSecrets.filter((segment) => isSecret([segment])) };
  };
}

/** Returns whether a receiver finds a secret where a sender writes it as a segment of a path. */
function canBeSegment(secret: string): boolean {
  return (
    !/\p{Surrogate}/u.test(secret) && pathSegments(`/${encodeURIComponent(secret)}`)?.[0] === secret
  );
}

/** Returns the texts to compare, or `undefined` where the header or query parameter is repeated. */
function secretsAt(
  place: SecretPlace,
  url: string,
  headers: (name: string) => readonly string[],
): readonly string[] | undefined {
  const { path, query } = splitTarget(url);
  if ('path' in place) return segmentsOf(path);
  const values =
    'header' in place ? headers(place.header.toLowerCase()) : queryValues(query, place.query);
  return values.length > 1 ? undefined : values;
}

/** Returns the segments of a path, also of one that joins a label to a URL with a trailing slash. */
function segmentsOf(path: string): readonly string[] {
  const segments = pathSegments(path);
  if (segments !== undefined) return segments;
  const { before = [], behind = [] } = joinedSegments(path) ?? {};
  return [...before, ...behind];
}

/**
 * Wraps an authentication to give it the URL that senders call, for signatures that cover it. A receiver gets only the
 * path and query that arrive, which a proxy can have changed, and headers such as `host` and `x-forwarded-prefix` are not
 * trustworthy. Without `publicUrl`, the authentication gets what arrives.
 * @param over the signed parts, such as `$url.path`
 * @throws WebhookError `invalid-option` for a value that is not a URL, lacks the signed host, or has no effect on what is
 * signed; and without a value where the host is signed
 */
export function atPublicUrl(
  publicUrl: PublicUrl | undefined,
  over: readonly unknown[],
  authenticate: Authentication,
): Authentication {
  if (publicUrl === undefined) {
    if (over.includes('$url') || over.includes('$url.host+path'))
      throw invalid(
        'the signature covers the host, so `publicUrl` must be the address that senders call, such as https://example.com',
      );
    return authenticate;
  }
  const mapping = createSignedUrlMapping(publicUrl, over);
  if (typeof mapping === 'string') throw invalid(`\`publicUrl\` ${mapping}`);
  return (request) => authenticate({ ...request, url: mapping.map(request.url) });
}
