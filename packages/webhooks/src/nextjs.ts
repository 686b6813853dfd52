import { toFetchHandler, type FetchHandler } from './fetch.ts';
import type { Receive } from './receiver.ts';

/** What an app route exports, one for each method that Next.js hands over. */
export type RouteHandlers = Readonly<
  Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', FetchHandler>
>;

/**
 * Makes a receiver the exports of an app route, for `app/webhooks/[[...label]]/route.ts` or a segment like it. Every
 * method is there, so that the receiver says which are wrong.
 */
export function toRouteHandlers(receive: Receive): RouteHandlers {
  const handle = toFetchHandler(receive);
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle };
}
