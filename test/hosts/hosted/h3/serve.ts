import { toNodeHandler } from 'h3/node';
import type { Ports } from '../../run-suite.ts';
import { app as everywhere } from './everywhere.ts';
import { app } from './h3.ts';
import { listen } from './listen.ts';

/** The application of the recipe with a route more, and one that has the receiver at the root. */
export async function serve(): Promise<Ports> {
  app.all('/beside', () => 'beside');
  return {
    recipe: await listen(toNodeHandler(app)),
    everywhere: await listen(toNodeHandler(everywhere)),
  };
}
