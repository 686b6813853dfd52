import type { Ports } from '../../run-suite.ts';
import server from './server.ts';

/** What `deno serve` makes of the recipe's default export. */
export async function serve(): Promise<Ports> {
  const { port } = Deno.serve({ hostname: '127.0.0.1', port: 0 }, server.fetch).addr;
  return { recipe: port, everywhere: port };
}
