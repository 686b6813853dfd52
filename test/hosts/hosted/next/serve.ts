import next from 'next';
import type { Ports } from '../../run-suite.ts';
import { listen } from './listen.ts';

/** The application as `next build` has left it, on a server of our own, as Next.js documents it. */
export async function serve(): Promise<Ports> {
  const app = next({ dev: false, dir: import.meta.dirname });
  await app.prepare();
  const handle = app.getRequestHandler();
  const port = await listen((request, response) => void handle(request, response));
  return { recipe: port, everywhere: port };
}
