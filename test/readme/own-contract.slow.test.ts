import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { createSigner, type SignatureScheme } from '@countersign/runtime/signing';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { freePort } from '../packages/runtime/inbox/replay/free-port.ts';
import { receiveAll } from '../packages/simulator/send/listen.ts';
import { compile } from '../targets/compile.ts';
import { repository } from '../targets/emit-project.ts';

const run = promisify(execFile);

async function readGuide(name: string): Promise<string> {
  return await readFile(join(repository, 'docs/guides', name), 'utf8');
}

/** Creates the folder of a project that finds what is installed here. */
async function createFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

async function countersign(folder: string, command: string): Promise<string> {
  const { code, out, error } = await runInProcess(folder, command.split(' ').slice(2));
  expect(code, error).toBe(0);
  return out;
}

/** Starts a program that is ended after the test, and returns what it has printed so far. */
function start(folder: string, words: readonly string[]): () => string {
  const child: ChildProcess = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await exited;
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  return () => printed;
}

test('the guide to a contract of your own leads to signed calls and a handled notification', async () => {
  const port = String(await freePort());
  const guide = (await readGuide('own-contract.md')).replaceAll('3000', port);
  const folder = await createFolder();
  const files = [...guide.matchAll(/^```(?:ts|yaml)\n(?:\/\/|#) (\S+)\n([^]*?)^```$/gmu)];
  expect(files.map(([, name]) => name)).toEqual(['api/openapi.yaml', 'src/app.ts', 'src/lend.ts']);
  for (const [, name = '', content = ''] of files) await write(folder, name, content);

  const [init = ''] = /^npx countersign init .*$/mu.exec(guide) ?? [];
  await countersign(folder, init);
  const [, handler = ''] = /^\/\/ in src\/webhooks\.ts\n([^]*?)^```$/mu.exec(guide) ?? [];
  const receiver = await readFile(join(folder, 'src/webhooks.ts'), 'utf8');
  expect(receiver).toContain('  on: {},\n');
  await write(folder, 'src/webhooks.ts', receiver.replace('  on: {},\n', handler));

  const [, settings = ''] = /^```json\n([^]*?)^```$/mu.exec(guide) ?? [];
  await write(folder, 'tsconfig.json', settings);
  await compile('ts7', folder, ['-p', '.']);

  const [simulate = ''] = /^npx countersign simulate .*$/mu.exec(guide) ?? [];
  const cli = [
    '--conditions=countersign-source',
    join(repository, 'generator/cli.ts'),
    ...simulate.split(' ').slice(2),
    '--port',
    '0',
    '--console-port',
    '0',
  ];
  const simulated = start(folder, cli);
  const lines =
    /^ {2}(API_TOOLS_BASE_URL=.*)\n {2}(API_TOOLS_SIGNING_KEY=.*)\n {2}(WEBHOOK_SECRET=.*)\n/mu;
  await expect.poll(simulated).toMatch(lines);
  const [, ...variables] = lines.exec(simulated()) ?? [];
  await write(folder, '.env', `${variables.join('\n')}\n`);

  const application = start(folder, ['--env-file=.env', 'src/app.ts']);
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))?.status)
    .toBe(405);
  const lend = async (environment: NodeJS.ProcessEnv): Promise<string> => {
    const env = { ...process.env, NODE_OPTIONS: '', ...environment };
    const options = { cwd: folder, env, timeout: 30_000 };
    return (await run(process.execPath, ['--env-file=.env', 'src/lend.ts'], options)).stdout.trim();
  };
  const shown = [...guide.matchAll(/prints `([^`]*)`/gu)].map(([, text]) => text);
  expect([await lend({}), await lend({ API_TOOLS_SIGNING_KEY: 'other' })]).toEqual(shown);

  const [send = ''] = /^npx countersign send .*$/mu.exec(guide) ?? [];
  expect(await countersign(folder, send)).toContain('acknowledged, status 200');
  const [, handled = ''] = /and the application `([^`]*)`/u.exec(guide) ?? [];
  await expect.poll(application).toContain(handled);
});

/** The scheme of a service, as the guide to signatures declares it. */
async function readScheme(name: string): Promise<SignatureScheme> {
  const guide = await readGuide('signatures.md');
  const blocks = [...guide.matchAll(/^```yaml\n([^]*?)^```$/gmu)].map(
    ([, block = '']) => parse(block) as Record<string, { readonly [key: string]: unknown }>,
  );
  const scheme = blocks.find((block) => block[name] !== undefined)?.[name];
  expect(scheme, name).toBeDefined();
  return scheme as never;
}

/** A webhook with the scheme of a service, and the headers that the scheme requires. */
function contractOf(name: string, scheme: object, header?: string): string {
  const example = { id: 'e-1' };
  // As the guide says of a service that delivers lists.
  const list = { when: { '$request.body#/0/id': { type: 'string' } }, each: '' };
  const properties = { id: { type: 'string' } };
  const schema = { type: 'object', required: ['id'], properties, 'x-variants': { list } };
  const parameter = { name: header, in: 'header', required: true, schema: { type: 'string' } };
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Vendor', version: '1.0.0', 'x-countersign': 1 },
    webhooks: {
      moved: {
        post: {
          security: [{ [name]: [] }],
          parameters: header === undefined ? [] : [parameter],
          requestBody: { content: { 'application/json': { schema, example } } },
          responses: { 200: { description: 'Received.' } },
        },
      },
    },
    components: { securitySchemes: { [name]: scheme } },
  });
}

type Receiver = (options: object) => { readonly fetch: (request: Request) => Promise<Response> };

/** Delivers a body that is signed as the vendor's documentation says, over a text that the test writes. */
async function deliver(
  name: string,
  timestampHeader: string | undefined,
  signedText: (url: string, body: string, timestamp: string) => string,
  body = '{"id":"e-7"}',
): Promise<readonly unknown[]> {
  const scheme = await readScheme(name);
  const folder = await createFolder();
  await write(folder, 'openapi.json', contractOf(name, scheme, timestampHeader));
  const config = {
    contract: { openapi: 'openapi.json' },
    layout: 'folder',
    importExtension: '.ts',
    output: 'generated',
    targets: ['contract', 'webhooks'],
  };
  await write(folder, 'countersign.config.json', JSON.stringify(config));
  await countersign(folder, 'npx countersign generate');
  const load = async (module: string): Promise<Record<string, unknown>> =>
    (await import(/* @vite-ignore */ pathToFileURL(join(folder, module)).href)) as never;
  const { createWebhooks, ...functions } = await load('generated/webhooks/index.ts');
  const verify = functions[`verify${name.replace(/^./u, (first) => first.toUpperCase())}`] as (
    options: object,
  ) => unknown;
  const ids: string[] = [];
  const { fetch } = (createWebhooks as Receiver)({
    authenticate: verify({ keys: ['key'], publicUrl: 'https://shop.example' }),
    on: { moved: ({ data }: { readonly data: { readonly id: string } }) => void ids.push(data.id) },
    otherwise: () => undefined,
    onInvalid: () => undefined,
    onEvent: () => undefined,
  });
  const timestamp = String(Date.now());
  const statusOf = async (path: string): Promise<number> => {
    const text = signedText('https://shop.example/hooks/a?shop=1', body, timestamp);
    const signature = createHmac('sha256', 'key').update(text).digest('base64');
    const headers = new Headers({ 'content-type': 'application/json' });
    headers.set((scheme as unknown as { readonly name: string }).name, signature);
    if (timestampHeader !== undefined) headers.set(timestampHeader, timestamp);
    return (await fetch(new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body })))
      .status;
  };
  return [await statusOf('/hooks/a?shop=1'), await statusOf('/hooks/b?shop=1'), ...ids];
}

test('a receiver verifies deliveries of Square and HubSpot, which sign the URL', async () => {
  const square = await deliver('squareSignature', undefined, (url, body) => url + body);
  expect(square).toEqual([200, 401, 'e-7']);
  const signed = (url: string, body: string, time: string): string => `POST${url}${body}${time}`;
  const events = '[{"id":"e-1"},{"id":"e-2"}]';
  const header = 'x-hubspot-request-timestamp';
  const hubSpot = await deliver('hubSpotSignature', header, signed, events);
  expect(hubSpot).toEqual([200, 401, 'e-1', 'e-2']);
});

test('`send` says how a signature over the host is made for the public URL', async () => {
  const folder = await createFolder();
  const scheme = await readScheme('squareSignature');
  await write(folder, 'openapi.json', contractOf('squareSignature', scheme));
  const config = {
    contract: { openapi: 'openapi.json' },
    scope: '@x',
    output: 'out',
    targets: ['contract'],
  };
  await write(folder, 'countersign.config.json', JSON.stringify(config));
  const { url } = await receiveAll(401);
  const hintOf = async (...options: readonly string[]): Promise<string> => {
    const words = ['send', 'moved', '--to', url, '--key-env', 'SQUARE_KEY', ...options];
    const { code, out, error } = await runInProcess(folder, words, { SQUARE_KEY: 'key' });
    expect(code, error).toBe(1);
    return out;
  };
  const hint = 'give the `publicUrl` of the receiver with --public-url.';
  expect(await hintOf()).toContain(hint);
  expect(await hintOf('--public-url', 'https://shop.example')).not.toContain(hint);
});

test('the text of each part of the URL is as the guide shows', async () => {
  const guide = await readGuide('signatures.md');
  const rows = [...guide.matchAll(/^\| `(\$url[^`]*)` +\| `([^`]*)`/gmu)];
  expect(rows).toHaveLength(5);
  for (const [, part = '', text = ''] of rows) {
    const scheme = {
      header: 'x-signature',
      algorithm: 'hmac-sha256',
      key: { encoding: 'utf-8' },
      over: [part],
      encoding: 'hex',
      value: '{signature}',
    } as unknown as SignatureScheme;
    const signed = await createSigner(scheme, { key: 'key' }).sign({
      method: 'POST',
      url: 'https://shop.example/hooks/square?shop=1',
      basePath: '/hooks',
      headers: () => [],
      body: new Uint8Array(),
    });
    const expected = createHmac('sha256', 'key').update(text).digest('hex');
    expect(signed, part).toEqual({ 'x-signature': expected });
  }
});
