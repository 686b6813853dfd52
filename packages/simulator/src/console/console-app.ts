import type { Hono } from 'hono';
import type { ConsoleContext } from './console-context.ts';
import { controlRoutes } from './control-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { describeRoutes } from './description-routes.ts';
import { entryRoutes } from './entry-routes.ts';
import { createPageApp } from './page-app.ts';
import type { PageFiles } from './page-files.ts';
import { runRoutes } from './run-routes.ts';

/** Assembles the console: the page for anyone on this machine, and the control API for sessions and the control token. */
export function createConsoleApp(shared: ConsoleContext, page: PageFiles): Hono {
  const routes = [describeRoutes, entryRoutes, deliveryRoutes, controlRoutes, runRoutes];
  return createPageApp(
    shared.guard,
    page,
    routes.map((create) => create(shared)),
  );
}
