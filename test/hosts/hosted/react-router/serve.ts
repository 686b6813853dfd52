import { createRequestListener } from '@react-router/node';
import type { Ports } from '../../run-suite.ts';
import { listen } from './listen.ts';

/** The application as it was built, behind the listener of React Router's own package for Node. */
export async function serve(): Promise<Ports> {
  const port = await listen(
    createRequestListener({ build: await import('./build/server/index.js') }),
  );
  return { recipe: port, everywhere: port };
}
