import { Router, type RequestHandler } from 'express';
import { createLabelTest, type Label } from './label.ts';
import { toNodeHandler } from './node.ts';
import type { Receive } from './receiver.ts';

/** Creates an Express handler that answers every request that it is mounted for. */
export function toExpressHandler(receive: Receive): RequestHandler {
  const handle = toNodeHandler(receive);
  return (request, response) => handle(request, response);
}

/**
 * Creates an Express router that answers requests for the labels' paths and for its mount path, with any method. It
 * passes all other requests on.
 */
export function toExpressRouter(receive: Receive, labels: readonly Label[]): Router {
  const handle = toExpressHandler(receive);
  const isLabel = createLabelTest(labels);
  const router = Router();
  // Does not use Express routes: they decode paths before they match, and answer paths that they cannot decode
  // themselves.
  router.use((request, response, next) =>
    isLabel(request.url) ? handle(request, response, next) : next(),
  );
  return router;
}
