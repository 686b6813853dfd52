import type { RequestListener } from 'node:http';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Webhook } from 'svix';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { repository } from '../targets/emit-project.ts';
import { listenForTest } from '../packages/simulator/send/listen.ts';

const secret = `whsec_${Buffer.from('a secret of the migration guide!').toString('base64')}`;
afterEach(() => {
  vi.unstubAllEnvs();
});

const sides = ['before', 'after'] as const;
type Side = (typeof sides)[number];

/** Writes the files of the guide into a folder, and generates as it states. */
async function followGuide(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const guide = await readFile(join(repository, 'docs/guides/migration.md'), 'utf8');
  const files = guide.matchAll(/^```(?:ts|yaml)\n(?:\/\/|#) (\S+)\n([^]*?)^```$/gmu);
  for (const [, name = '', text = ''] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { code, error } = await runInProcess(folder, ['generate']);
  expect(code, error).toBe(0);
  return folder;
}

/** Imports a file of the guide, with its environment. */
async function importSide<Module>(side: Side, file: string): Promise<Module> {
  const folder = await followGuide();
  return (await import(/* @vite-ignore */ pathToFileURL(join(folder, side, file)).href)) as Module;
}

describe.each(sides)('the calls %s', (side) => {
  test('return what the service answers', async () => {
    const keys: unknown[] = [];
    const address = await listenForTest((request, response) => {
      keys.push(request.headers['x-api-key']);
      response.setHeader('content-type', 'application/json');
      if (request.url !== '/orders/a1') response.writeHead(404).end();
      else response.end(JSON.stringify({ id: 'a1', total: '19.90' }));
    });
    vi.stubEnv('SHOP_URL', address.replace(/\/$/u, ''));
    vi.stubEnv('SHOP_KEY', 'the key');
    const { totalOf } = await importSide<{ totalOf(id: string): Promise<unknown> }>(
      side,
      'orders.ts',
    );
    expect([await totalOf('a1'), await totalOf('a2')]).toEqual(['19.90', undefined]);
    expect(keys).toEqual(['the key', 'the key']);
  });
});

describe.each(sides)('the handler %s', (side) => {
  test('handles what the library of the sender signs, and nothing else', async () => {
    vi.stubEnv('WEBHOOK_SECRET', secret);
    const { app, paid } = await importSide<{ app: RequestListener; paid: readonly string[] }>(
      side,
      'app.ts',
    );
    const address = await listenForTest(app);
    const deliver = async (id: string, order: string, signed = order): Promise<number> => {
      const [body, signedBody] = [order, signed].map((name) =>
        JSON.stringify({ type: 'order.paid', data: { id: name, total: '19.90' } }),
      );
      const now = new Date();
      const { status } = await fetch(new URL('/webhooks', address), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'svix-id': id,
          'svix-timestamp': String(Math.floor(now.getTime() / 1000)),
          'svix-signature': new Webhook(secret).sign(id, now, signedBody ?? ''),
        },
        body: body ?? '',
      });
      return status;
    };
    expect(await deliver('msg_1', 'a1')).toBe(200);
    expect(await deliver('msg_2', 'a2')).toBe(200);
    expect(await deliver('msg_3', 'a3', 'other')).toBe(side === 'before' ? 400 : 401);
    expect(await deliver('msg_1', 'a1')).toBe(200);
    expect(paid).toEqual(side === 'before' ? ['a1', 'a2', 'a1'] : ['a1', 'a2']);
  });
});
