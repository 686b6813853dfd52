import type { Authentication } from './authentication.ts';
import { createSecretTest } from './secret-test.ts';
import { pathSegments, queryValues, splitTarget } from './target.ts';
import { invalid } from './webhook-error.ts';

/** Where a request carries the secret; `path` means in one of the segments of the path. */
export type SecretPlace =
  | { readonly header: string }
  | { readonly query: string }
  | { readonly path: true };

/** Maximum number of path segments to compare. Each costs time before the request is authenticated. */
const maxSegments = 32;

/**
 * Creates an authentication for requests that carry one of the secrets; give several during a rotation. It compares in
 * constant time for any length. A secret authenticates the sender, but does not protect the content against changes.
 * @throws WebhookError `missing-secret` for an empty secret, `invalid-option` for an unknown place
 */
export function sharedSecret(
  place: SecretPlace,
  secrets: string | readonly string[],
): Authentication {
  if (!Object.values({ ...place }).some(Boolean))
    throw invalid('the place of a shared secret must be `header`, `query` or `path`');
  const isSecret = createSecretTest(secrets);
  return ({ headers, url }) => {
    const given = secretsAt(place, url, headers);
    if (given === undefined) return { ok: false, reason: 'repeated-secret' };
    if (given.length === 0 || given.length > maxSegments)
      return { ok: false, reason: 'missing-secret' };
    return isSecret(given) ? { ok: true } : { ok: false, reason: 'wrong-secret' };
  };
}

/** Returns the texts to compare, or `undefined` where the header or query parameter is repeated. */
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
