import { expect, it } from 'vitest';
import { startConsole } from '../../../../packages/simulator/src/index.ts';
import { emptyPage, startTestConsole } from './console-client.ts';
import { createFakeSimulator } from './fake-simulator.ts';

const page = emptyPage;

it.each([{ host: '0.0.0.0' }, { host: '192.0.2.1' }, { hostNames: ['box.example'] }])(
  'listens on this machine alone: %j',
  async (options) => {
    await expect(startConsole(createFakeSimulator(), { page, ...options })).rejects.toMatchObject({
      code: 'not-loopback',
    });
  },
);

it('listens elsewhere where that is allowed, and serves the given names', async () => {
  await using open = await startTestConsole({
    host: '0.0.0.0',
    allowRemote: true,
    hostNames: ['box.example'],
  });
  const { port } = new URL(open.console.url);
  expect((await open.send('GET', '/', { host: `box.example:${port}` })).status).toBe(200);
  expect((await open.send('GET', '/', { host: `evil.example:${port}` })).status).toBe(403);
});

it('rejects a port that is in use', async () => {
  await using open = await startTestConsole();
  const port = Number(new URL(open.console.url).port);
  await expect(startConsole(createFakeSimulator(), { page, port })).rejects.toMatchObject({
    code: 'port-in-use',
  });
});

it.each(['ftp://127.0.0.1/', 'nonsense'])('rejects the receiver %s', async (target) => {
  await expect(
    startConsole(createFakeSimulator(), { page, targets: [target] }),
  ).rejects.toMatchObject({ code: 'invalid-option' });
});

it('closes while a stream is open', async () => {
  const open = await startTestConsole();
  const response = await fetch(`${open.console.url}api/stream`, {
    headers: { authorization: `Bearer ${open.controlToken}` },
  });
  expect(response.status).toBe(200);
  await open[Symbol.asyncDispose]();
  await expect(response.text()).rejects.toThrow();
});
