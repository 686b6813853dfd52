import type { Authentication } from './authentication.ts';
import { pathSegments, queryValues, splitTarget } from './target.ts';
import { WebhookError } from './webhook-error.ts';

/** Where a secret travels; in the path, it is one of the segments. */
export type SecretPlace =
  | { readonly header: string }
  | { readonly query: string }
  | { readonly path: true };

/**
 * Authentic where the request carries the secret, or one of them while they change. Compares in constant time. It
 * proves who sent a delivery, not that nobody changed it. Throws a WebhookError for a secret that is empty.
 */
export function sharedSecret(
  place: SecretPlace,
  secrets: string | readonly string[],
): Authentication {
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  if (!Array.isArray(list) || list.length === 0) throw missingSecret();
  if (list.some((secret) => typeof secret !== 'string' || secret.trim() === ''))
    throw missingSecret();
  return ({ headers, url }) => {
    const given = secretsAt(place, url, headers);
    if (given === undefined) return { ok: false, reason: 'repeated-secret' };
    if (given.length === 0) return { ok: false, reason: 'missing-secret' };
    let found = false;
    for (const candidate of given)
      for (const secret of list) found = equalTexts(candidate, secret) || found;
    return found ? { ok: true } : { ok: false, reason: 'wrong-secret' };
  };
}

/** Whether two texts are equal; for texts of one length, takes as long wherever they differ. */
export function equalTexts(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
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

function missingSecret(): WebhookError {
  return new WebhookError(
    'missing-secret',
    'The secret is missing or empty. Is its environment variable set?',
  );
}
