import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { installPeers } from '../../../../bench/generation.ts';
import { importModule } from '../../../packages/runtime/client/generated-client.ts';
import { repository } from '../../emit-project.ts';
import { generateClient, readOpenapi } from '../emit-client.ts';
import { peerRequests, requestDocument, type PeerRequest } from './requests.ts';

/** What both clients send for one call, as lines: method, URL, headers and body. `accept` is left out. */
export interface SentRequests {
  readonly name: string;
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

type Send = (request: PeerRequest, fetch: typeof globalThis.fetch) => Promise<unknown>;

/** Sends the requests with our client and with that of hey-api. */
export async function sendRequests(): Promise<readonly SentRequests[]> {
  await using generated = await generateClient(await readOpenapi(requestDocument));
  const { createClient } = await importModule(generated.client);
  const ours: Send = async ({ operation, input }, fetch) =>
    await createClient({ fetch, retry: { attempts: 1 } })[operation]?.(input);
  const theirs = await importHeyApi(generated.project);
  const sent: SentRequests[] = [];
  for (const request of peerRequests)
    sent.push({
      name: request.name,
      ours: await capture(ours, request),
      theirs: await capture(theirs, request),
    });
  return sent;
}

interface HeyApi {
  readonly client: { setConfig(config: object): void };
}

/** Generates a client with hey-api in a folder, and imports it. */
async function importHeyApi(folder: string): Promise<Send> {
  installPeers();
  const document = join(folder, 'requests.json');
  await writeFile(document, JSON.stringify(requestDocument));
  const program = join(repository, 'bench/peers/node_modules/@hey-api/openapi-ts/dist/run.mjs');
  const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'];
  const words = ['--no-log-file', '--silent', `--input=${document}`, '--output=hey-api'];
  await promisify(execFile)(process.execPath, [program, ...words, '--plugins', ...plugins], {
    cwd: folder,
  });
  const outfile = join(folder, 'hey-api.mjs');
  const contents =
    "export * from './hey-api/sdk.gen'; export { client } from './hey-api/client.gen';";
  const stdin = { contents, resolveDir: folder, loader: 'ts' } as const;
  await build({ stdin, bundle: true, format: 'esm', platform: 'node', outfile });
  const module = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as HeyApi &
    Readonly<Record<string, (input: object) => Promise<unknown>>>;
  return async ({ operation, input }, fetch) => {
    module.client.setConfig({ fetch });
    return await module[operation]?.(input);
  };
}

/** Returns the request that a client sends, or why it sends none. */
async function capture(send: Send, request: PeerRequest): Promise<readonly string[]> {
  let lines: readonly string[] | undefined;
  try {
    await send(request, async (input, init) => {
      lines = await linesOf(new Request(input, init));
      return new Response(undefined, { status: 204 });
    });
  } catch (error) {
    return [error instanceof Error ? `${error.name}: ${error.message}` : String(error)];
  }
  return lines ?? ['nothing'];
}

async function linesOf(request: Request): Promise<readonly string[]> {
  const type = request.headers.get('content-type') ?? '';
  const boundary = /boundary=(.*)$/u.exec(type)?.[1];
  const replaceBoundary = (value: string): string =>
    boundary === undefined ? value : value.replaceAll(boundary, '{boundary}');
  const headers = [...request.headers].filter(([name]) => name !== 'accept');
  // Each byte becomes one character.
  const body = Buffer.from(await request.arrayBuffer()).toString('latin1');
  return [
    `${request.method} ${request.url.replace('https://requests.example/v1', '')}`,
    ...headers.map(([name, value]) => `${name}: ${replaceBoundary(value)}`),
    replaceBoundary(body),
  ];
}
