import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, type Tree, writeTree } from '../output/tree.ts';
import { repository } from '../targets/emit-project.ts';
import { listenForTest } from '../packages/simulator/send/listen.ts';
import type { Run } from './project.ts';
import { runInProcess } from './run-in-process.ts';

/** Schemes of every type, as the `security` of a document has them. */
export const schemes: Readonly<Record<string, string>> = {
  header: '{ type: apiKey, in: header, name: X-Key }',
  query: '{ type: apiKey, in: query, name: key }',
  cookie: '{ type: apiKey, in: cookie, name: key }',
  basic: '{ type: http, scheme: basic }',
  bearer: '{ type: http, scheme: bearer }',
  oauth2:
    "{ type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://shop.example/token', scopes: {} } } }",
  openIdConnect: "{ type: openIdConnect, openIdConnectUrl: 'https://shop.example/id' }",
  mutualTLS: '{ type: mutualTLS }',
  signature:
    '{ type: apiKey, in: header, name: X-Seal, x-signature: { algorithm: hmac-sha256, key: { credential: sealKey, encoding: utf-8 }, over: [$request.body], encoding: base64 } }',
  bodySignature:
    "{ type: apiKey, in: header, name: none, x-body-signature: { algorithm: hmac-sha256, key: { credential: sealKey, encoding: utf-8 }, over: [/id], separator: '|', encoding: hex, signature: /seal } }",
};

export interface Parts {
  readonly root?: string;
  /** The members of the notification. */
  readonly own?: string;
  readonly isCallback?: boolean;
}

/** A document whose calls have the security `root`, and whose only notification, `paid`, has the members `own`. */
export function shopDocument({ root = '', own = '', isCallback = false }: Parts): string {
  const notification = `post: { ${own}requestBody: { content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: string }, seal: { type: string } } }, example: { id: p-1 } } } }, responses: { '200': { description: Received. } } }`;
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
security: [${root}]
paths:
  /orders:
    post:
      operationId: order
      responses: { '204': { description: Ordered. } }
${isCallback ? `      callbacks: { paid: { '{$request.body#/url}': { ${notification} } } }` : `webhooks: { paid: { ${notification} } }`}
components:
  securitySchemes:
${Object.entries(schemes)
  .filter(([id]) => `${root} ${own}`.includes(`{ ${id}: `))
  .map(([id, scheme]) => `    ${id}: ${scheme}\n`)
  .join('')}`;
}

/** Runs `init --yes` in a folder of a contract. */
export async function init(
  files: Tree,
  ...words: readonly string[]
): Promise<Run & { readonly folder: string; readonly tree: Tree }> {
  const folder = await temporaryFolder();
  await writeTree(folder, files);
  const layout = ['--layout', 'folder', '--framework', 'node', '--yes'];
  const given = ['--contract', ...Object.keys(files)];
  const result = await runInProcess(folder, ['init', ...given, ...layout, ...words]);
  return { ...result, folder, tree: await readTree(folder) };
}

/** Lets generated code find the runtime, as after an installation. */
export async function linkRuntime(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  const packages = 'node_modules/@countersign';
  const link = join(folder, packages);
  if (!existsSync(link)) await symlink(join(repository, packages), link, 'junction');
}

/** Starts the generated receiver. */
export async function receive(
  folder: string,
  kinds: readonly string[],
  verify?: string,
  parameters: readonly unknown[] = [],
): Promise<{ readonly url: string; readonly handled: readonly string[] }> {
  await linkRuntime(folder);
  const path = join(folder, 'generated/webhooks-node/index.ts');
  const { createWebhooksListener, ...generated } = (await import(
    pathToFileURL(path).href
  )) as Record<string, (...parameters: readonly unknown[]) => unknown>;
  const handled: string[] = [];
  const listener = createWebhooksListener?.({
    authenticate: verify && generated[verify]?.(...parameters),
    on: Object.fromEntries(kinds.map((kind) => [kind, () => void handled.push(kind)])),
    otherwise: () => undefined,
    onInvalid: () => undefined,
  });
  const url = await listenForTest(listener as Parameters<typeof listenForTest>[0]);
  return { url, handled };
}
