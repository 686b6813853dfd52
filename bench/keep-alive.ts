import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Sends requests over a few connections, sequentially on each. Responses have no body. */
export class KeepAlive {
  readonly #sockets: readonly Socket[];

  private constructor(sockets: readonly Socket[]) {
    this.#sockets = sockets;
  }

  static async connect(port: number, connections: number): Promise<KeepAlive> {
    const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    // `close` follows every error, and ends the wait for a response.
    for (const socket of sockets) socket.on('error', () => undefined);
    return new KeepAlive(sockets);
  }

  /** Throws if a response is not a success, or a connection ends. */
  async send(requests: readonly Buffer[]): Promise<void> {
    let next = 0;
    let isDone = false;
    // Waking a sleeping client for every response would add to the server's CPU time.
    const stayAwake = (): void => {
      if (!isDone) setImmediate(stayAwake);
    };
    stayAwake();
    await Promise.all(
      this.#sockets.map(
        (socket) =>
          new Promise<void>((resolve, reject) => {
            let answer = '';
            const ask = (): void => {
              const request = requests[next++];
              if (request !== undefined) {
                socket.write(request);
                return;
              }
              socket.removeAllListeners('data').off('close', fail);
              resolve();
            };
            const fail = (): void => reject(new Error('The server closed a connection.'));
            socket.once('close', fail);
            socket.on('data', (chunk: Buffer) => {
              answer += chunk.toString('latin1');
              if (!answer.includes('\r\n\r\n')) return;
              if (!/^HTTP\/1\.1 20[04] /.test(answer)) {
                socket.off('close', fail);
                reject(new Error(answer));
              } else if (isWhole(answer)) {
                answer = '';
                ask();
              }
            });
            ask();
          }),
      ),
    ).finally(() => {
      isDone = true;
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function isWhole(answer: string): boolean {
  return answer.endsWith(
    /^transfer-encoding: chunked/im.test(answer) ? '\r\n0\r\n\r\n' : '\r\n\r\n',
  );
}
