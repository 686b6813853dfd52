import type { Authentication } from './authentication.ts';
import { createUrlMapping, type PublicUrl } from './public-url.ts';
import { invalid } from './webhook-error.ts';

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
  const signsHost = over.includes('$url') || over.includes('$url.host+path');
  if (publicUrl === undefined) {
    if (signsHost)
      throw invalid(
        'the signature covers the host, so `publicUrl` must be the address that senders call, such as https://example.com',
      );
    return authenticate;
  }
  const mapping = createUrlMapping(publicUrl);
  if (mapping === undefined)
    throw invalid(
      '`publicUrl` must be an address or a path without query, such as https://example.com/api, or `{ received, called }`',
    );
  if (signsHost && !mapping.hasHost)
    throw invalid(
      'the signature covers the host, so `publicUrl` must begin with https:// or http://',
    );
  if (!signsHost && !(over.includes('$url.path') || over.includes('$url.path+query')))
    throw invalid('`publicUrl` has no effect, because the signature covers no part of the URL');
  if (!signsHost && !mapping.changesPath)
    throw invalid(
      '`publicUrl` has no effect, because the signature covers the path only, and it does not change that',
    );
  return (request) => authenticate({ ...request, url: mapping.map(request.url) });
}
