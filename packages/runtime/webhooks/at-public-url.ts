import type { Authentication } from './authentication.ts';
import { createSignedUrlMapping, type PublicUrl } from '../base/public-url.ts';
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
