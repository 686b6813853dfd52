import type { Ports } from '../../run-suite.ts';
import { app } from './elysia.ts';
import { app as everywhere } from './everywhere.ts';

const loopback = { hostname: '127.0.0.1', port: 0 };

/** The application of the recipe with a route more, and one that has the receiver at the root. */
export async function serve(): Promise<Ports> {
  app.all('/beside', () => 'beside');
  return {
    recipe: app.listen(loopback).server.port,
    everywhere: everywhere.listen(loopback).server.port,
  };
}
