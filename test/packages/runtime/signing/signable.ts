import type { SignableRequest } from '../../../../packages/runtime/signing/index.ts';

/** A request for tests: headers by name or as pairs, so that a name may be repeated; a body as text or bytes. */
export function toSignable(
  over: {
    readonly method?: string;
    readonly url?: string;
    readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
    readonly body?: string | Uint8Array;
  } = {},
): SignableRequest {
  const { method = 'POST', url = '/v1/things', headers = {}, body = '' } = over;
  const pairs: readonly (readonly [string, string])[] = Array.isArray(headers)
    ? (headers as readonly (readonly [string, string])[])
    : Object.entries(headers);
  return {
    method,
    url,
    headers: (wanted) =>
      pairs.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  };
}
