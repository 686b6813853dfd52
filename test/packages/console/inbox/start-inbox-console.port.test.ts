import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startInboxConsole, type OperatedInbox } from '../../../../packages/console/src/index.ts';

const options = { name: 'inbox', by: 'ana', page: new Map<string, string>() };

it('refuses a port that is in use, and one that is none', async () => {
  const used = createServer().listen(0, '127.0.0.1');
  await once(used, 'listening');
  const { port } = used.address() as AddressInfo;
  const start = async (at: number): Promise<unknown> =>
    await startInboxConsole({} as OperatedInbox, { ...options, port: at });
  await expect(start(port)).rejects.toMatchObject({ code: 'port-in-use', name: 'ConsoleError' });
  await expect(start(70_000)).rejects.toMatchObject({ code: 'invalid-option' });
  used.close();
});
