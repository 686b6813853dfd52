import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  exchange,
  frameHeaders,
  openConnections,
  type Exchange,
} from '../../../../packages/simulator/src/sending/exchange.ts';

/** `test/packages/simulator/send/deliver.exchange.test.ts` tests what `countersign send` uses too. */
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
        { address: { address: '127.0.0.1', family: 4 }, timeoutMs: 5_000, connections },
      );
    for (let count = 0; count < 5; count += 1)
      expect(Buffer.from((await send()).response?.body ?? []).toString()).toBe('thanks');
    expect(sockets.size).toBe(1);
    expect(rawHeaders[0]).toEqual(headers);
    expect(headers.slice(0, 6)).toEqual(['X-Kind', 'one', 'x-kind', 'two', 'content-length', '2']);
  });
});

describe('a request that HTTP does not allow', () => {
  const address = { address: '127.0.0.1', family: 4 } as const;
  const url = new URL('http://127.0.0.1:9/hooks');
  const body = Buffer.from('{}');

  it.each([
    ['x-a', 'a\r\nb: c'],
    ['x a', 'b'],
    ['x-a', '\u2603'],
    ['', 'b'],
  ])('has an error, and does not reject: %j: %j', async (name, value) => {
    const headers = frameHeaders(url, [[name, value]], body);
    const { error, response } = await exchange(
      { url, method: 'POST', headers, body },
      { address, timeoutMs: 5_000 },
    );
    expect([response, error]).toEqual([undefined, expect.stringMatching(/^ERR_/u)]);
  });

  it('has the headers of the connection once', () => {
    const headerNames = ['Host', 'CONTENT-LENGTH', 'transfer-encoding', 'Connection', 'x-a'];
    const headers = frameHeaders(
      url,
      headerNames.map((name) => [name, '1'] as const),
      body,
    );
    const names = headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names.toSorted()).toEqual(['connection', 'content-length', 'host', 'x-a']);
  });
});
