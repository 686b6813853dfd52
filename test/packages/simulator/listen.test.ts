import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { bracket, listen, type ListenOptions } from '../../../packages/simulator/src/listen.ts';

async function listenForTest(options: ListenOptions): Promise<string> {
  const server = createServer((_, response) => void response.end('here'));
  onTestFinished(async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return await listen(server, options);
}

it.each<[ListenOptions, string]>([
  [{}, '127.0.0.1'],
  [{ host: 'localhost' }, 'localhost'],
  [{ host: '127.0.0.2' }, '127.0.0.2'],
  [{ host: '0.0.0.0', allowRemote: true }, '127.0.0.1'],
])('returns an address for %j that can be called', async (options, hostname) => {
  const url = await listenForTest(options);
  expect(new URL(url).hostname).toBe(hostname);
  expect(await (await fetch(url)).text()).toBe('here');
});

it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org', '127.0.0.1.example.org', ''])(
  'listens on "%s" only if that is allowed',
  async (host) => {
    await expect(listenForTest({ host })).rejects.toMatchObject({ code: 'not-loopback' });
  },
);

it('distinguishes a port in use from an address that is not of this machine', async () => {
  const port = Number(new URL(await listenForTest({})).port);
  await expect(listenForTest({ port })).rejects.toMatchObject({ code: 'port-in-use' });
  await expect(listenForTest({ host: '192.0.2.1', allowRemote: true })).rejects.toMatchObject({
    code: 'invalid-option',
  });
});

it('writes IPv6 addresses in brackets', () => {
  expect(['::1', 'localhost'].map(bracket)).toEqual(['[::1]', 'localhost']);
});
