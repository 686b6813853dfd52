import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on a free port of the loopback; answers with the port. */
export async function listen(listener: RequestListener): Promise<number> {
  return await listenWith(createServer(listener));
}

/** The same with a server that is there. */
export async function listenWith(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
