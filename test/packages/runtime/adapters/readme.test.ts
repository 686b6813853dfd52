import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Hono } from 'hono';
import type Koa from 'koa';
import { expect, test } from 'vitest';
import { createBareReceiver } from '../webhooks/bare-receiver.ts';
import { listen, listenFastify, listenHono } from '../webhooks/listen.ts';
import { exchangeRaw, rawPost } from '../webhooks/raw-exchange.ts';
import type { Served } from '../webhooks/workbench.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Writes the example of a framework on the package's page beside the module that it takes its receiver from. */
async function writeExample(folder: string, framework: string): Promise<string> {
  const page = await readFile(join(root, 'packages/runtime/adapters/README.md'), 'utf8');
  const [, example = ''] = page.split(`\`\`\`ts\n// ${framework}\n`);
  const receiver = 'export const webhooks = globalThis.webhooksOfTheExample;\n';
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'webhooks.ts'), receiver);
  await writeFile(join(folder, 'app.ts'), example.split('```', 1).join(''));
  return pathToFileURL(join(folder, 'app.ts')).href;
}

test.each<[string, (app: never) => Promise<Served>]>([
  ['express', (app: RequestListener) => listen(app)],
  ['fastify', (app: FastifyInstance) => listenFastify(app)],
  ['koa', (app: Koa) => listen(app.callback())],
  ['hono', (app: Hono) => listenHono(app)],
])('the example for %s receives deliveries below /hooks', async (framework, serve) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-readme-'));
  try {
    const { receive, bodies } = createBareReceiver();
    Object.assign(globalThis, { webhooksOfTheExample: { receive } });
    const { app } = (await import(await writeExample(folder, framework))) as { app: never };
    await using served = await serve(app);
    const json = ['Content-Type: application/json'];
    const sent = rawPost('/hooks/any/label', '{"a": 1}', json);
    expect((await exchangeRaw(served.port, sent)).status).toBe(200);
    expect(bodies).toEqual(['{"a": 1}']);
    expect((await exchangeRaw(served.port, rawPost('/else', '{}', json))).status).toBe(404);
  } finally {
    await rm(folder, { recursive: true });
  }
});
