import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  importWebhooks,
  type ImportedWebhooks,
} from '../../packages/webhooks/generated-webhooks.ts';

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterAll(() => imported[Symbol.asyncDispose]());

test('the example of the README receives what its example of a test delivers, and so does its server', async () => {
  const readme = await readFile(join(imported.folder, 'README.md'), 'utf8');
  const [use = '', server = '', tests = ''] = Array.from(
    readme.matchAll(/```ts\n([\s\S]*?)```/g),
    ([, code = '']) => code,
  );
  const program = [
    'const listening = Promise.withResolvers<Server>();',
    use,
    server.replace('.listen(3000)', ".listen(0, '127.0.0.1', onListening)"),
    tests,
    'import type { Server } from "node:http";',
    'function onListening(this: Server): void { listening.resolve(this); }',
    'export const server: Server = await listening.promise;',
    'export { response };',
  ].join('\n');
  const file = join(imported.project, 'readme.ts');
  await writeFile(file, program);
  process.env['WEBHOOK_SECRET'] = 'secret';
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const module = (await import(pathToFileURL(file).href)) as {
    default: { fetch(request: Request): Promise<Response> };
    response: Response;
    server: Server;
  };
  try {
    expect(module.response.status).toBe(200);
    expect(log.mock.calls[0]?.[0]).toBe('customer');
    const address = module.server.address() as AddressInfo;
    const delivery = await imported.testing.deliver('charge', {
      url: `http://127.0.0.1:${address.port}/hooks`,
      headers: { 'x-webhook-secret': 'secret' },
    });
    expect((await fetch(delivery)).status).toBe(200);
    expect(log.mock.calls.map(([first]) => first as unknown)).toContain('charge');
    const wrong = await imported.testing.deliver('charge', {
      headers: { 'x-webhook-secret': 'another' },
    });
    expect((await module.default.fetch(wrong)).status).toBe(401);
  } finally {
    log.mockRestore();
    module.server.closeAllConnections();
    module.server.close();
    delete process.env['WEBHOOK_SECRET'];
  }
});
