import type { Ports } from '../../run-suite.ts';
import { listen } from './listen.ts';

/** What Nitro has built for servers of Node. */
export async function serve(): Promise<Ports> {
  const { middleware } = await import('./.output/server/index.mjs');
  const port = await listen(middleware);
  return { recipe: port, everywhere: port };
}
