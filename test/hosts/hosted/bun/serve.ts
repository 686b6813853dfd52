import type { Ports } from '../../run-suite.ts';
import routes from './routes.ts';
import server from './server.ts';

const loopback = { hostname: '127.0.0.1', port: 0 };

/** What Bun makes of the default exports of both recipes. */
export async function serve(): Promise<Ports> {
  const { routes: recipeRoutes, ...rest } = routes;
  const beside = { '/beside': () => new Response('beside') };
  return {
    recipe: Bun.serve({ ...rest, routes: { ...recipeRoutes, ...beside }, ...loopback }).port,
    everywhere: Bun.serve({ ...server, ...loopback }).port,
  };
}
