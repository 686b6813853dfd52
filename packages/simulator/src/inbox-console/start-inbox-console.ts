import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { listen } from '../listen.ts';
import { createGuard } from '../console/guard.ts';
import { createPageApp } from '../console/page-app.ts';
import { loadPage, type PageFiles } from '../console/page-files.ts';
import type { Console } from '../console/start-console.ts';
import { type InboxConsoleContext, inboxRoutes } from './inbox-routes.ts';

export type {
  EventBlocker,
  EventRejection,
  EventSelection,
  OperatedEvent,
  OperatedInbox,
  OperatedStats,
  OperationRecord,
  RevealedEvent,
} from './operated-inbox.ts';

/** The options of an inbox's console. */
export interface InboxConsoleOptions extends Omit<InboxConsoleContext, 'inbox'> {
  /** The TCP port; 0, the default, chooses a free one. */
  readonly port?: number;
  /** The files of the page. Default: those of this package. */
  readonly page?: PageFiles;
}

/**
 * Starts the console of an inbox on a port of this machine. Payloads are shown after they were revealed only.
 * @throws SimulatorError `port-in-use`
 */
export async function startInboxConsole(
  inbox: InboxConsoleContext['inbox'],
  { port = 0, page, name, by }: InboxConsoleOptions,
): Promise<Console> {
  let hosts: readonly string[] = [];
  const guard = createGuard(() => hosts, undefined);
  const app = createPageApp(guard, page ?? (await loadPage('inbox')), [
    inboxRoutes({ inbox, name, by }),
  ]);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const url = new URL(await listen(server, { port }));
  // Port 80 is not in the header Host.
  hosts = ['127.0.0.1', 'localhost'].map((host) =>
    url.port === '' ? host : `${host}:${url.port}`,
  );
  return {
    url: url.href,
    createLink: () => `${url.href}#token=${guard.issueToken()}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
