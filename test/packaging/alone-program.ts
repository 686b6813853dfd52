import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolutions, strictest } from '../targets/strict-compile.ts';
import { repository, type Project } from './project.ts';

/** The generated packages that the program needs. */
export const names = ['contract', 'runtime', 'client', 'webhooks', 'webhooks-node'] as const;

/** Returns the specifier of a module, by its package and entry. */
export type ModuleOf = (name: string, entry?: string) => string;

/**
 * A program that makes a signed call, and receives a notification: into an inbox in SQLite, from where it is handled, or
 * without one, by its handlers. It prints what came out.
 */
export const program = (moduleOf: ModuleOf, isStored = true): string => `
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createClient } from '${moduleOf('client')}';
${isStored ? importsOfInbox(moduleOf) : ''}
import { deliver } from '${moduleOf('webhooks', 'testing')}';
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

${isStored ? storing : handling}const statuses: number[] = [];
for (const secret of ['a secret of the webhook', 'another']) {
  const delivery = await deliver('customer', { headers: { 'x-webhook-secret': secret } });
  const { status: answered } = await fetch(receiver.url, {
    method: delivery.method,
    headers: delivery.headers,
    body: await delivery.arrayBuffer(),
  });
  statuses.push(answered);
}
const kind = await handled;
await close();
receiver.close();
service.close();
console.log(JSON.stringify({ status, isSigned, statuses, kind }));
`;

const importsOfInbox = (moduleOf: ModuleOf): string => `
import { createInbox } from '${moduleOf('runtime', 'inbox')}';
import { sqliteStore } from '${moduleOf('runtime', 'inbox/sqlite')}';
import { createWorker } from '${moduleOf('webhooks', 'worker')}';`;

const authenticating = `
const authenticate = sharedSecret({ header: 'x-webhook-secret' }, 'a secret of the webhook');
let handle!: (kind: string | null) => void;
let refuse!: (error: Error) => void;
// Node 20 has no Promise.withResolvers.
const handled = new Promise<string | null>((resolve, reject) => {
  handle = resolve;
  refuse = reject;
});`;

const storing = `${authenticating}
const store = sqliteStore('inbox.db');
const inbox = createInbox({ store });
const receiver = await serve(createWebhooksListener({ authenticate, inbox }));
const worker = createWorker({
  inbox,
  on: {},
  otherwise: { rest: ({ kind }) => handle(kind) },
  onInvalid: () => refuse(new Error('invalid')),
});
const close = async (): Promise<void> => {
  await worker.close();
  await store.close();
};
`;

const handling = `${authenticating}
const receiver = await serve(
  createWebhooksListener({
    authenticate,
    on: {},
    otherwise: { rest: ({ kind }) => handle(kind) },
    onInvalid: () => refuse(new Error('invalid')),
  }),
);
const close = async (): Promise<void> => undefined;
`;

/** What the program prints. */
export const expected: Readonly<Record<string, unknown>> = {
  status: 200,
  isSigned: true,
  statuses: [200, 401],
  kind: 'customer',
};

/** Configures a project to compile a program with every flag that generated code promises, and gives it Node's types. */
export async function configureStrictly(project: Project, path: string): Promise<void> {
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
}
