import type { Ports } from '../../run-suite.ts';
import { listen } from './listen.ts';

/** The handler that the Node adapter has built. */
export async function serve(): Promise<Ports> {
  const { handler } = await import('./build/handler.js');
  const port = await listen(handler);
  return { recipe: port, everywhere: port };
}
