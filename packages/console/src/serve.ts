import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Guard } from './guard.ts';

/** A console that is served. */
export interface Console {
  /** Its base address, with a slash at the end. */
  readonly url: string;
  /** Returns an address that opens the console once. It contains a token. */
  createLink(): string;
  /** Stops listening, and ends all sessions. */
  close(): Promise<void>;
}

/**
 * Serves a console.
 * @param listen starts to listen, and returns the base address
 */
export async function serve(
  app: Hono,
  guard: Pick<Guard, 'issueToken'>,
  listen: (server: Server) => Promise<string>,
): Promise<Console> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const { href: url } = new URL(await listen(server));
  return {
    url,
    createLink: () => `${url}#token=${guard.issueToken()}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      // Streams end only with their connections.
      server.closeAllConnections();
      await closed;
    },
  };
}
