import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  exchange,
  frameHeaders,
  openConnections,
  type Exchange,
} from '../../../../packages/simulator/src/deliveries/exchange.ts';

/** `test/tools/send/sending.exchange.test.ts` tests what `countersign send` uses too. */
describe('an exchange over kept connections', () => {
  it('reuses a connection, and sends the headers as given and in their order', async () => {
    const sockets = new Set<unknown>();
    const rawHeaders: string[][] = [];
    const server = createServer((request, response) => {
      sockets.add(request.socket);
      rawHeaders.push(request.rawHeaders);
      request.resume().on('end', () => response.end('thanks'));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const connections = openConnections();
    onTestFinished(() => {
      connections.close();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}/hooks?a=b`);
    const body = Buffer.from('{}');
    const headers = frameHeaders(
      url,
      [
        ['X-Kind', 'one'],
        ['x-kind', 'two'],
      ],
      body,
    );
    const send = async (): Promise<Exchange> =>
      await exchange(
        { url, method: 'POST', headers, body },
        { address: { address: '127.0.0.1', family: 4 }, timeLimit: 5_000, connections },
      );
    for (let count = 0; count < 5; count += 1)
      expect(Buffer.from((await send()).response?.body ?? []).toString()).toBe('thanks');
    expect(sockets.size).toBe(1);
    expect(rawHeaders[0]).toEqual(headers);
    expect(headers.slice(0, 6)).toEqual(['X-Kind', 'one', 'x-kind', 'two', 'content-length', '2']);
  });
});
