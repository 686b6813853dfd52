import type { Receive } from '@countersign/runtime/webhooks';
import { toFetchHandler, type FetchHandler } from '@countersign/runtime/webhooks/fetch';

/** The exports of an app route: one handler for each method that Next.js passes on. */
export type RouteHandlers = Readonly<
  Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', FetchHandler>
>;

/**
 * Creates the exports of an app route, such as `app/webhooks/[[...label]]/route.ts`. It has all methods, so that the
 * receiver itself answers unsupported methods with its `wrong-method` response.
 * @throws WebhookError `invalid-option` if the receiver's authentication reads the connection
 */
export function toRouteHandlers(receive: Receive): RouteHandlers {
  const handle = toFetchHandler(receive);
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle };
}
