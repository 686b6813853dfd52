import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Type } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LambdaHandler } from '../../../../packages/runtime/adapters/aws-lambda.ts';
import type { ExportedHandler } from '../../../../packages/runtime/adapters/cloudflare.ts';
import { createReceiver, sharedSecret } from '../../../../packages/runtime/webhooks/receiver.ts';
import type { RouteHandlers } from '../../../../packages/runtime/adapters/nextjs.ts';
import { createBareReceiver, type BareReceiver } from '../webhooks/bare-receiver.ts';
import { functionUrl } from '../webhooks/lambda-callers.ts';
import { startNest } from '../webhooks/nestjs-application.ts';
import { twoKinds } from '../webhooks/two-kinds.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const secret = 'example-secret-of-the-webhook';
let folder: string;
let bare: BareReceiver;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-readme-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'webhooks.ts'),
    'export const { webhooks, createWebhooks, sharedSecret } = globalThis.webhooksOfTheExample;\n',
  );
  bare = createBareReceiver();
  const kinds = new Map([...twoKinds.kinds].slice(0, 1));
  const webhooksOfTheExample = {
    webhooks: { receive: bare.receive },
    createWebhooks: (options: Parameters<typeof createReceiver>[1]) => ({
      receive: createReceiver({ ...twoKinds, kinds, routes: twoKinds.routes.slice(0, 1) }, options),
    }),
    sharedSecret,
  };
  Object.assign(globalThis, { webhooksOfTheExample });
  vi.stubEnv('WEBHOOK_SECRET', secret);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Imports the example that begins with this comment on the package's page, compiled as decorators need it. */
async function importExample(name: string): Promise<unknown> {
  const page = await readFile(join(root, 'packages/runtime/adapters/README.md'), 'utf8');
  const [, rest = ''] = page.split(`\`\`\`ts\n// ${name}`);
  const [example = ''] = rest.split('```', 1);
  const { outputText } = ts.transpileModule(`//${example}`, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  const file = join(folder, `${name}.js`);
  await writeFile(file, outputText);
  return await import(pathToFileURL(file).href);
}

test('the example for NestJS hands events to the methods that are marked', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const { AppModule } = (await importExample('nestjs')) as { AppModule: Type };
  await using served = await startNest(new ExpressAdapter(), { imports: [AppModule] });
  const statuses: number[] = [];
  for (const [path, body, headers] of [
    ['created', '{"id":1}', { 'x-secret': secret }],
    ['created', '{}', { 'x-secret': secret }],
    ['created', '{"id":2}', {}],
  ] as const) {
    const url = `http://127.0.0.1:${served.port}/hooks/${path}`;
    statuses.push((await fetch(url, { method: 'POST', body, headers })).status);
  }
  expect(statuses).toEqual([200, 422, 401]);
  expect([log.mock.calls, warn.mock.calls]).toEqual([[[{ id: 1 }]], [['schema']]]);
  log.mockRestore();
  warn.mockRestore();
});

test('the example for AWS Lambda receives deliveries', async () => {
  const { handler } = (await importExample('aws-lambda')) as { handler: LambdaHandler };
  const body = Buffer.from('{"lambda":1}');
  const call = { method: 'POST', target: '/hooks', headers: [], body };
  expect(await handler(functionUrl.toEvent(call))).toMatchObject({ statusCode: 200 });
  expect(bare.bodies).toContain('{"lambda":1}');
});

test('the example for Cloudflare Workers takes its secret from the environment', async () => {
  const { default: worker } = (await importExample('cloudflare')) as {
    default: ExportedHandler<{ readonly WEBHOOK_SECRET: string }>;
  };
  const context = { waitUntil: () => undefined };
  const statuses: number[] = [];
  for (const value of [secret, 'another']) {
    const headers = { 'x-secret': value };
    const request = new Request('https://example.com/', { method: 'POST', body: '{}', headers });
    statuses.push((await worker.fetch(request, { WEBHOOK_SECRET: secret }, context)).status);
  }
  expect(statuses).toEqual([200, 401]);
});

test('the example for Next.js exports every method', async () => {
  const route = (await importExample('nextjs')) as RouteHandlers;
  const request = new Request('https://example.com/', { method: 'POST', body: '{"next":1}' });
  expect([
    (await route.POST(request)).status,
    (await route.GET(new Request(request.url))).status,
  ]).toEqual([200, 405]);
  expect(bare.bodies).toContain('{"next":1}');
});
