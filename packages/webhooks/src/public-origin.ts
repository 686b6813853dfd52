import type { Authentication } from './authentication.ts';
import { invalid } from './webhook-error.ts';

/**
 * Wraps an authentication to give it the absolute URL that senders call, for signatures that cover it. A receiver gets
 * only path and query, and the `host` header of a request is not trustworthy.
 * @param origin scheme, host and optional port, such as `https://hooks.example.com`
 * @throws WebhookError `invalid-option` for a value that is not an origin
 */
export function atPublicOrigin(
  origin: string | undefined,
  authenticate: Authentication,
): Authentication {
  if (origin === undefined || !/^https?:\/\/[^/?#@\s]+$/.test(origin))
    throw invalid('`publicOrigin` must be an origin, such as https://example.com');
  return (request) =>
    authenticate({ ...request, url: origin + request.url.replace(/^https?:\/\/[^/?]+/i, '') });
}
