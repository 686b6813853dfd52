import { Router, type RequestHandler } from 'express';
import { createLabelTest, type Label } from './label.ts';
import { toNodeHandler } from './node.ts';
import type { Receive } from './receiver.ts';

/** Makes a receiver a handler of Express that answers everything it is mounted on. */
export function toExpressHandler(receive: Receive): RequestHandler {
  const handle = toNodeHandler(receive);
  return (request, response) => handle(request, response);
}

/**
 * Makes a receiver a router of Express that answers the labels, whatever the method, and the path that it is mounted
 * on; it lets everything else pass.
 */
export function toExpressRouter(receive: Receive, labels: readonly Label[]): Router {
  const handle = toExpressHandler(receive);
  const isLabel = createLabelTest(labels);
  const router = Router();
  // Not as routes: those decode before they match, and answer for themselves what they cannot decode.
  router.use((request, response, next) =>
    isLabel(request.url) ? handle(request, response, next) : next(),
  );
  return router;
}
