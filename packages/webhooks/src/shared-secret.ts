import type { Authentication } from './authentication.ts';
import { whenThere } from './maybe-promise.ts';
import { createSecretTest } from './secret-test.ts';
import { pathSegments, queryValues, splitTarget } from './target.ts';
import { invalid } from './webhook-error.ts';

/** Where a secret travels; in the path, it is one of the segments. */
export type SecretPlace =
  | { readonly header: string }
  | { readonly query: string }
  | { readonly path: true };

/** Segments of a path that are compared: each costs a digest before anything is authenticated. */
const maxSegments = 32;

/**
 * Authenticates requests that carry the secret, or one of them while they change. Compares in constant time, whatever
 * the length. It proves who sent a delivery, not that nobody changed it. Throws a WebhookError for a secret that is
 * empty.
 */
export function sharedSecret(
  place: SecretPlace,
  secrets: string | readonly string[],
): Authentication {
  if (!Object.values({ ...place }).some(Boolean))
    throw invalid('the place of a secret is a header, a query parameter or the path');
  const isSecret = createSecretTest(secrets);
  return ({ headers, url }) => {
    const given = secretsAt(place, url, headers);
    if (given === undefined) return { ok: false, reason: 'repeated-secret' };
    if (given.length === 0 || given.length > maxSegments)
      return { ok: false, reason: 'missing-secret' };
    return whenThere(isSecret(given), (isRight) =>
      isRight ? { ok: true } : { ok: false, reason: 'wrong-secret' },
    );
  };
}

/** `undefined` where it is there more than once. */
function secretsAt(
  place: SecretPlace,
  url: string,
  headers: (name: string) => readonly string[],
): readonly string[] | undefined {
  const { path, query } = splitTarget(url);
  if ('path' in place) return pathSegments(path) ?? [];
  const values =
    'header' in place ? headers(place.header.toLowerCase()) : queryValues(query, place.query);
  return values.length > 1 ? undefined : values;
}
