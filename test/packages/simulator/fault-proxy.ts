import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createRandom } from '../../../packages/simulator/src/random.ts';

/** A request of which at least one byte was sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
}

/** A proxy that breaks connections before the service executes an operation. */
export interface FaultProxy extends AsyncDisposable {
  readonly url: string;
  /** How often it broke a connection, by the point in time. */
  readonly broken: Readonly<Record<BreakPoint, number>>;
}

/**
 * `refused`: no connection is accepted for a moment. `accepted`: reset before it read a byte. `sent`: reset after the
 * request was read, which the service does not get. `halved`: reset after the service got the first half of it.
 */
type BreakPoint = 'refused' | 'accepted' | 'sent' | 'halved';

/**
 * Starts a proxy for a service on this machine.
 * @param rate the share of requests, and of connections, that each fault has
 * @param onRequest called for each request that a client began to send
 */
export async function startFaultProxy(
  target: string,
  rate: number,
  onRequest: (request: SentRequest) => void,
): Promise<FaultProxy> {
  const random = createRandom(7);
  const broken: Record<BreakPoint, number> = { refused: 0, accepted: 0, sent: 0, halved: 0 };
  const sockets = new Set<Socket>();
  const { hostname, port: targetPort } = new URL(target);
  let port = 0;
  let isClosed = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket.setNoDelay(true).on('error', () => socket.destroy()));
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };

  const server = createServer((client) => {
    keep(client);
    if (random.fraction() < rate) {
      broken.accepted += 1;
      client.resetAndDestroy();
      return;
    }
    if (random.fraction() < rate && server.listening) {
      broken.refused += 1;
      server.close();
      // The port stays the same, so that clients find the service again.
      setTimeout(() => isClosed || server.listen(port, '127.0.0.1'), 20);
    }
    const service = keep(connect(Number(targetPort), hostname));
    service.pipe(client);
    service.on('close', () => client.resetAndDestroy());
    client.on('close', () => service.destroy());
    client.on('data', (chunk: Buffer) => {
      const request = readHead(chunk.toString('latin1'));
      if (request === undefined) {
        service.write(chunk);
        return;
      }
      onRequest(request);
      const draw = random.fraction();
      if (draw < rate) {
        broken.sent += 1;
        client.resetAndDestroy();
      } else if (draw < 2 * rate) {
        broken.halved += 1;
        service.write(chunk.subarray(0, chunk.length >> 1), () => client.resetAndDestroy());
      } else service.write(chunk);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ({ port } = server.address() as AddressInfo);
  return {
    url: `http://127.0.0.1:${port}`,
    broken,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
      if (server.listening)
        await new Promise((resolve) => {
          server.close(resolve);
        });
    },
  };
}

/** Reads the head of a request; `undefined` for further bytes of one. Clients send a small head in one piece. */
function readHead(text: string): SentRequest | undefined {
  const [, method = '', path = ''] = /^([A-Z]+) ([^ ?]+)\S* HTTP\/1\.1\r\n/u.exec(text) ?? [];
  const [, requestId] = /\r\nx-request-id: (\S+)\r\n/iu.exec(text) ?? [];
  return method === '' || requestId === undefined ? undefined : { method, path, requestId };
}
