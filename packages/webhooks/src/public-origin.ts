import type { Authentication } from './authentication.ts';
import { invalid } from './webhook-error.ts';

/**
 * Shows an authentication the whole URL that senders call, for signatures over it: a receiver sees only path and
 * query, and the host that a request names proves nothing. Throws a WebhookError for a value that is no origin.
 * @param origin scheme, host and port, such as `https://hooks.example.com`
 */
export function atPublicOrigin(
  origin: string | undefined,
  authenticate: Authentication,
): Authentication {
  if (origin === undefined || !/^https?:\/\/[^/?#@\s]+$/.test(origin))
    throw invalid('`publicOrigin` is not like https://example.com');
  return (request) =>
    authenticate({ ...request, url: origin + request.url.replace(/^https?:\/\/[^/?]+/i, '') });
}
