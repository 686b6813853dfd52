import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConsoleError } from '../console-error.ts';
import { createGuard } from '../guard.ts';
import { createPageApp } from '../page-app.ts';
import { loadPage, type PageFiles } from '../page-files.ts';
import { type Console, serve } from '../serve.ts';
import { type InboxConsoleContext, inboxRoutes } from './inbox-routes.ts';

/** The options of an inbox's console. */
export interface InboxConsoleOptions extends Omit<InboxConsoleContext, 'inbox'> {
  /** The TCP port; 0, the default, chooses a free one. */
  readonly port?: number;
  /** The files of the page. Default: those of this package. */
  readonly page?: PageFiles;
}

/**
 * Starts the console of an inbox on a port of this machine. Payloads are shown after they were revealed only.
 * @throws ConsoleError `port-in-use`, and `invalid-option` for a port that cannot be listened on
 */
export async function startInboxConsole(
  inbox: InboxConsoleContext['inbox'],
  { port = 0, page, name, by }: InboxConsoleOptions,
): Promise<Console> {
  let hosts: readonly string[] = [];
  const guard = createGuard(() => hosts, undefined);
  const app = createPageApp({
    guard,
    page: page ?? (await loadPage(places)),
    routes: [inboxRoutes({ inbox, name, by })],
  });
  return await serve(app, guard, async (server) => {
    const listening = await listen(server, port);
    // Port 80 is not in the header Host.
    hosts = ['127.0.0.1', 'localhost'].map((host) =>
      listening === 80 ? host : `${host}:${listening}`,
    );
    return `http://127.0.0.1:${listening}`;
  });
}

const places = {
  built: new URL('page/', import.meta.url),
  bundler: new URL('../../bundle-console.ts', import.meta.url),
};

/** Listens on this machine alone, and returns the port. */
async function listen(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch (cause) {
    const isUsed = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw isUsed
      ? new ConsoleError(
          'port-in-use',
          `The port ${port} is in use by another process. Stop that process, or choose another port (0 for a free one).`,
          { cause },
        )
      : new ConsoleError('invalid-option', `The console cannot listen on the port ${port}.`, {
          cause,
        });
  }
  return (server.address() as AddressInfo).port;
}
