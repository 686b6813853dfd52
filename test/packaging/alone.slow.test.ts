import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import ownConfig from '../../countersign.config.ts';
import { generate } from '../../generator/generate.ts';
import { compile } from '../targets/compile.ts';
import { strictest, resolutions } from '../targets/strict-compile.ts';
import { buildAll, createProject, pack, type Project, repository } from './project.ts';

const names = ['contract', 'runtime', 'client', 'webhooks', 'webhooks-node'] as const;

/**
 * A program that makes a signed call, and receives a notification into an inbox, from where it is handled. It prints
 * what came out.
 * @param moduleOf the specifier of a module, by its package and entry
 */
const program = (moduleOf: (name: string, entry?: string) => string): string => `
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createClient } from '${moduleOf('client')}';
import { createInbox } from '${moduleOf('runtime', 'inbox')}';
import { sqliteStore } from '${moduleOf('runtime', 'inbox/sqlite')}';
import { deliver } from '${moduleOf('webhooks', 'testing')}';
import { createWorker } from '${moduleOf('webhooks', 'worker')}';
import { createWebhooksListener, sharedSecret } from '${moduleOf('webhooks-node')}';

async function serve(listener: RequestListener): Promise<{ url: string; close: () => void }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`,
    close: () => server.close(),
  };
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

let isSigned = false;
const service = await serve((request, response) => {
  void bodyOf(request).then((body) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/token')
      return response.end(JSON.stringify({ access_token: 'a', expires_in: 3600, token_type: 'Bearer' }));
    const { apikey = '', 'x-timestamp': time = '', 'x-hmac-signature': signature } = request.headers;
    const expected = createHmac('sha256', 'the signing secret')
      .update(\`\${String(apikey)}\${String(time)}\${body}\${request.url ?? ''}\`)
      .digest('base64');
    isSigned = signature === expected;
    return response.end('{"done":true}');
  });
});
const client = createClient({
  baseUrl: service.url,
  credentials: {
    apiKey: 'key',
    clientId: 'id',
    clientSecret: 'secret',
    signingSecret: 'the signing secret',
  },
});
const { status } = await client.request('POST', '/orders', { body: { amount: 1 } });

const store = sqliteStore('inbox.db');
const inbox = createInbox({ store });
const authenticate = sharedSecret({ header: 'x-webhook-secret' }, 'a secret of the webhook');
const receiver = await serve(createWebhooksListener({ authenticate, inbox }));
const handled = Promise.withResolvers<string | null>();
const worker = createWorker({
  inbox,
  on: {},
  otherwise: { rest: ({ kind }) => handled.resolve(kind) },
  onInvalid: () => handled.reject(new Error('invalid')),
});
const statuses: number[] = [];
for (const secret of ['a secret of the webhook', 'another']) {
  const delivery = await deliver('customer', { headers: { 'x-webhook-secret': secret } });
  const { status: answered } = await fetch(receiver.url, {
    method: delivery.method,
    headers: delivery.headers,
    body: await delivery.arrayBuffer(),
  });
  statuses.push(answered);
}
const kind = await handled.promise;
await worker.close();
await store.close();
receiver.close();
service.close();
console.log(JSON.stringify({ status, isSigned, statuses, kind }));
`;

/** Compiles the program of a project under every flag, and runs it; returns what it prints. */
async function runProgram(project: Project, path: string): Promise<unknown> {
  for (const name of ['@types/node', 'undici-types']) {
    const link = join(project.folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(repository, 'node_modules', name), link, 'junction');
  }
  const compilerOptions = {
    ...strictest,
    ...resolutions.nodenext,
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    skipLibCheck: true,
  };
  await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [path] }));
  await compile('ts7', project.folder, ['-p', '.']);
  const options = { cwd: project.folder, env: { PATH: process.env['PATH'] }, timeout: 60_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [path], options);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

const expected = { status: 200, isSigned: true, statuses: [200, 401], kind: 'customer' };

test('packages are installed from their tarballs without a registry, and call, receive and store', async () => {
  await buildAll();
  const project = await createProject('alone');
  try {
    const tarballs = await pack(
      names.map((name) => `@instant-payment/${name}`),
      join(project.folder, 'tarballs'),
    );
    expect(tarballs).toHaveLength(names.length);
    // The cache is empty, so that nothing else can be installed.
    const cache = join(project.folder, 'cache');
    const offline = ['--offline', '--no-audit', '--no-fund', `--cache=${cache}`];
    await project.npm('install', ...offline, ...tarballs);
    const moduleOf = (name: string, entry?: string): string =>
      ['@instant-payment', name, ...(entry === undefined ? [] : [entry])].join('/');
    await project.write('main.ts', program(moduleOf));
    expect(await runProgram(project, 'main.ts')).toEqual(expected);
  } finally {
    await project.remove();
  }
}, 300_000);

test('a folder needs no installation, and calls, receives and stores', async () => {
  const project = await createProject('alone-folder');
  try {
    const { openapi, asyncapi } = ownConfig.contract as { openapi: string; asyncapi: string };
    const config = {
      contract: { openapi: join(repository, openapi), asyncapi: join(repository, asyncapi) },
      targets: ['contract', 'client', { use: 'webhooks', inbox: ['sqlite'] }, 'webhooks-node'],
      layout: 'folder',
      importExtension: '.ts',
      output: 'src/generated',
    } as const;
    expect(await generate(config, { folder: project.folder })).toMatchObject({ status: 'written' });
    const moduleOf = (name: string, entry = name === 'runtime' ? '' : 'index'): string =>
      `./generated/${name}/${entry === 'inbox' || entry === 'inbox/sqlite' ? `${entry}/index` : entry}.ts`;
    await mkdir(join(project.folder, 'src'), { recursive: true });
    await writeFile(join(project.folder, 'src/main.ts'), program(moduleOf));
    expect(await runProgram(project, 'src/main.ts')).toEqual(expected);
  } finally {
    await rm(project.folder, { recursive: true });
  }
}, 300_000);
