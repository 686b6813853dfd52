import { createAdaptorServer } from '@hono/node-server';
import type { Ports } from '../../run-suite.ts';
import { app as everywhere } from './everywhere.ts';
import { app } from './hono.ts';
import { listenWith } from './listen.ts';

/** The application of the recipe with a route more, and one that has the receiver at the root. */
export async function serve(): Promise<Ports> {
  app.all('/beside', (context) => context.text('beside'));
  return {
    recipe: await listenWith(createAdaptorServer(app)),
    everywhere: await listenWith(createAdaptorServer(everywhere)),
  };
}
