import type { Authentication, SecretFailure, Verdict } from './authentication.ts';
import { assertHeaderName } from './header-name.ts';
import { createSecretTest } from './secret-test.ts';
import { joinedSegments, pathSegments, queryValues, splitTarget } from './target.ts';
import { invalid } from './webhook-error.ts';

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
