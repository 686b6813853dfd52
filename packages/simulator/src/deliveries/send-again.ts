import type { SimulatorContext } from '../context.ts';
import type { DeliveryEntry } from '../entry.ts';
import { redacted } from '../sending/redact.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import type { Authenticator } from './authenticator.ts';
import { findNotification } from './compose.ts';
import { framingHeaders } from '../sending/exchange.ts';
import { dataQuery, labelPath } from '../sending/compose-request.ts';
import type { Outgoing } from './outgoing.ts';
import { readRawBody } from './payload.ts';

/**
 * Returns a delivery with the request of a recorded attempt.
 * @throws SimulatorError `invalid-payload` where the journal does not keep the whole body
 */
export function toOutgoing(
  context: SimulatorContext,
  authenticator: Authenticator,
  { kind, request, example, run }: DeliveryEntry,
  base: URL,
  id: string,
): Outgoing {
  const notification = findNotification(context, kind);
  const { text, encoding, size } = request.body;
  const bytes = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf-8');
  if (bytes.byteLength !== size || text.includes(redacted))
    throw new SimulatorError(
      'invalid-payload',
      'The journal does not keep the whole body of this attempt, so it cannot be sent again.',
    );
  const payload = readRawBody(context, notification, bytes);
  const generated = authenticator.headerNames(notification);
  return {
    id,
    notification,
    path:
      pathBelow(base, request.url) ??
      labelPath(notification, payload.value) + dataQuery(notification, payload.value),
    headers: request.headers.filter(
      ([name, value]) =>
        !framingHeaders.has(name.toLowerCase()) &&
        !generated.has(name.toLowerCase()) &&
        !value.includes(redacted),
    ),
    payload: { ...payload, ...(example === undefined ? {} : { example }) },
    faults: [],
    isRepeated: true,
    ...(run === undefined ? {} : { run }),
  };
}

/** Returns the path and query of a URL below a base address, or `undefined` where it is elsewhere. */
function pathBelow(base: URL, url: string): string | undefined {
  const prefix = base.pathname.replace(/\/$/u, '');
  const start = `${base.origin}${prefix}`;
  // The journal does not keep a secret in the path, which belongs to the receiver's address.
  if (url.startsWith(`${start}/${redacted}`))
    return pathBelow(base, `${start}${url.slice(start.length + 1 + redacted.length)}`);
  if (!URL.canParse(url) || url.includes(redacted)) return undefined;
  const { origin, pathname, search } = new URL(url);
  if (origin !== base.origin || !pathname.startsWith(prefix)) return undefined;
  const below = pathname.slice(prefix.length);
  const query = search.startsWith(base.search) ? search.slice(base.search.length) : search;
  return below + query.replace(/^&/u, '?');
}
