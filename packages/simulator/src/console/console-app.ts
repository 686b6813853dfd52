import { createPageApp, type PageFiles } from '@countersign/console/frame';
import type { Hono } from 'hono';
import type { ConsoleContext } from './console-context.ts';
import { controlRoutes } from './control-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { describeRoutes } from './description-routes.ts';
import { entryRoutes } from './entry-routes.ts';
import { runRoutes } from './run-routes.ts';
import { toRefusal } from './to-refusal.ts';

/** Assembles the console: the page for anyone on this machine, and the control API for sessions and the control token. */
export function createConsoleApp(shared: ConsoleContext, page: PageFiles): Hono {
  const routes = [describeRoutes, entryRoutes, deliveryRoutes, controlRoutes, runRoutes];
  return createPageApp({
    guard: shared.guard,
    page,
    routes: routes.map((create) => create(shared)),
    toRefusal,
  });
}
