import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Label, Receive } from '@countersign/runtime/webhooks';
import {
  createLabelTest,
  toNodeHandler,
  type NodeHandler,
} from '@countersign/runtime/webhooks/node';

/** A middleware of Express. It has types of Node only, so that it is one for every major version of Express. */
export type ExpressMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void | Promise<void>;

/** Creates an Express handler that answers every request that it is mounted for. */
export function toExpressHandler(receive: Receive): NodeHandler {
  return toNodeHandler(receive);
}

/**
 * Creates an Express middleware that answers requests for the labels' paths and for its mount path, with any method. It
 * passes all other requests on.
 * @param isSecretInPath whether it answers the same paths behind one segment, which is a secret
 */
export function toExpressRouter(
  receive: Receive,
  labels: readonly Label[],
  isSecretInPath = false,
): ExpressMiddleware {
  const handle = toExpressHandler(receive);
  const isLabel = createLabelTest(labels);
  // Does not use Express routes: they decode paths before they match, and answer paths that they cannot decode
  // themselves.
  return (request, response, next) => {
    const { url = '/' } = request;
    const isOwn = isLabel(url) || (isSecretInPath && isLabel(url.replace(/^\/[^/?]+\/?/u, '/')));
    return isOwn ? handle(request, response) : next();
  };
}
