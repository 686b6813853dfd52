import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Logger, type DynamicModule } from '@nestjs/common';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { createFrameworkTarget } from '../../../generator/targets/frameworks/target.ts';
import { formatFile } from '../../../generator/targets/format.ts';
import { resolveTargets } from '../../../generator/targets/registry.ts';
import { toFolder } from '../../../generator/emit/folder/to-folder.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { injectionsIn } from '../../hostile/injections.ts';
import { readAsyncapi, readContract } from '../client/emit-client.ts';
import { emitFiles, repository, scope, type GeneratedProject } from '../emit-project.ts';
import { frameworkTargetNames, generateFrameworks } from '../frameworks/emit-frameworks.ts';
import { hosts, type Exported, type Host } from '../frameworks/hosts.ts';
import { listenFetch } from '../../packages/webhooks/listen.ts';
import { platforms, startNest } from '../../packages/webhooks/nestjs-application.ts';
import type { TestingModule } from '../../packages/webhooks/generated-webhooks.ts';

/** The factories of packages that hosts call, and the file and the function of the stub that does it for them. */
const stubs: Readonly<Record<string, readonly [factory: string, file: string, name: string]>> = {
  'webhooks-node': ['createWebhooksListener', 'listener', 'createListener'],
  'webhooks-express': ['createWebhooksRouter', 'router', 'createRouter'],
  'webhooks-fastify': ['createWebhooksPlugin', 'plugin', 'createPlugin'],
  'webhooks-koa': ['createWebhooksMiddleware', 'middleware', 'createMiddleware'],
  'webhooks-hono': ['createWebhooksApp', 'app', 'createApp'],
  'webhooks-nextjs': ['createWebhooksRoute', 'route', 'createRoute'],
  'webhooks-aws-lambda': ['createWebhooksHandler', 'function', 'createFunction'],
  'webhooks-cloudflare': ['createWebhooksHandler', 'fetch-handler', 'createFetchHandler'],
};

/** The stubs that take a function that creates the settings. */
const deferring: ReadonlySet<string> = new Set(['webhooks-nextjs', 'webhooks-cloudflare']);

describe('stubs of the own contract', () => {
  let contract: Contract;
  let generated: GeneratedProject;

  const load = async (path: string): Promise<Exported> =>
    (await import(pathToFileURL(join(generated.project, path)).href)) as Exported;

  beforeAll(async () => {
    contract = await readContract({
      openapi: 'spec/openapi.yaml',
      asyncapi: 'spec/asyncapi.yaml',
    });
    generated = await generateFrameworks(contract);
    // Neither Node nor the test runner compiles decorators.
    const folder = join(generated.project, 'webhooks-nestjs/stubs');
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), 'utf8');
      const { outputText } = ts.transpileModule(text, {
        compilerOptions: {
          target: ts.ScriptTarget.ES2023,
          module: ts.ModuleKind.ESNext,
          experimentalDecorators: true,
          verbatimModuleSyntax: true,
          rewriteRelativeImportExtensions: true,
        },
      });
      await writeFile(join(folder, name.replace(/ts$/u, 'js')), outputText);
    }
  });
  afterAll(() => generated[Symbol.asyncDispose]());
  afterEach(() => vi.restoreAllMocks());

  /** Serves the stubs of a package on its framework. */
  async function serveStubs({ target, serve }: Host, settings: object) {
    if (target === 'webhooks-nestjs') {
      const { ReceiverModule } = (await load(`${target}/stubs/webhooks.module.js`)) as {
        readonly ReceiverModule: { forRoot(options: object): DynamicModule };
      };
      const [platform] = platforms;
      if (platform === undefined) throw new Error('There is no platform of Nest');
      const imports = [ReceiverModule.forRoot({ ...settings, path: 'hooks' })];
      return await startNest(platform[1](), { imports });
    }
    const [factory = '', file = '', name = ''] = stubs[target] ?? [];
    const stub = await load(`${target}/stubs/${file}.ts`);
    const create = stub[name] as (options: unknown) => unknown;
    const main = {
      [factory]: ({ on, otherwise, onInvalid, ...options }: Readonly<Record<string, unknown>>) => {
        void [on, otherwise, onInvalid];
        return create(deferring.has(target) ? () => options : options);
      },
    };
    const unused = (): void => undefined;
    return await serve(main, {
      on: {},
      otherwise: unused,
      onInvalid: unused,
      decorators: new Map(),
      settings,
    });
  }

  /** Serves the stubs of the package without a framework. */
  async function serveFetch(settings: object) {
    const stub = await load('webhooks/stubs/receiver.ts');
    const create = stub['createReceiver'] as (options: object) => {
      fetch(request: Request): Promise<Response>;
    };
    return await listenFetch((request) => create(settings).fetch(request));
  }

  const served = frameworkTargetNames.map((target): readonly [string, Host | undefined] => [
    target,
    hosts.find((host) => host.target === target),
  ]);

  test.each([...served, ['webhooks', undefined] as const])(
    'of %s handle every delivery on their framework',
    async (target, host) => {
      const main = await load('webhooks/src/index.ts');
      const { deliver } = (await load('webhooks/src/testing.ts')) as Exported & TestingModule;
      const sharedSecret = main['sharedSecret'] as (place: object, secret: string) => unknown;
      const settings = { authenticate: sharedSecret({ header: 'x-secret' }, 'secret') };
      const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
      const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const logger = {
        log: vi.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined),
        warn: vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined),
        error: vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined),
      };
      await using running = await (host === undefined
        ? serveFetch(settings)
        : serveStubs(host, settings));
      const url = `http://127.0.0.1:${running.port}/hooks`;
      const headers = { 'x-secret': 'secret' };
      const send = async (kind: string, overrides: object): Promise<number> =>
        (await fetch(await deliver(kind, { url, headers, ...overrides }))).status;
      const calls = (): string =>
        [log, error, ...Object.values(logger)]
          .flatMap((spy) => spy.mock.calls.splice(0))
          .map((call) => call.join(' '))
          .join('\n');
      // What Nest logs when it starts.
      calls();
      expect(contract.notifications).not.toEqual([]);
      for (const { name, examples } of contract.notifications) {
        for (const example of examples) {
          expect(await send(name, { example: example.name }), `${target}, ${name}`).toBe(200);
          expect(calls(), `${target}, ${name}`).toMatch(/^(?:handled \w+ [\w-]+\n?)+$/u);
        }
      }
      const [first] = contract.notifications;
      if (first === undefined) throw new Error('The contract has no notifications');
      expect(await send(first.name, { rawBody: '{"other": 1}', labelled: false })).toBe(200);
      expect(calls()).toMatch(/^matches no kind of the contract [\w-]+$/u);
      const [invalid] = first.invalidExamples;
      expect(await send(first.name, { rawBody: JSON.stringify(invalid?.value) })).toBe(422);
      expect(calls()).toContain('violates the contract');
      expect(await send(first.name, { headers: {} })).toBe(401);
      expect(calls()).toBe('');
    },
  );

  test('are published to be copied, and no import finds them', async () => {
    for (const target of ['webhooks', ...frameworkTargetNames]) {
      const text = await readFile(join(generated.project, target, 'package.json'), 'utf8');
      const { exports, files } = JSON.parse(text) as { exports: object; files: string[] };
      expect(files).toContain('stubs');
      expect(JSON.stringify(exports)).not.toContain('stubs');
      for (const name of await readdir(join(generated.project, target, 'src'))) {
        const source = await readFile(join(generated.project, target, 'src', name), 'utf8');
        expect(source).not.toContain('stubs');
      }
      for (const name of await readdir(join(generated.project, target, 'stubs'))) {
        const stub = await readFile(join(generated.project, target, 'stubs', name), 'utf8');
        if (name.endsWith('.ts')) expect(stub).toMatch(/^\/\/ @generated .* copy it /u);
      }
    }
  });

  test('are not in a folder of an application', async () => {
    const targets = await resolveTargets(['contract', 'webhooks', 'webhooks-express']);
    const files = [];
    for (const target of targets)
      for (const [path, text] of await emitFiles(target, contract, { layout: 'folder' }))
        files.push({ path, text, from: [] });
    const folder = await toFolder(files, '.js');
    expect(folder.files.map(({ path }) => path).filter((path) => path.includes('stubs'))).toEqual(
      [],
    );
  });
});

/** Texts that end comments, begin strings that nothing ends, and are templates. */
const hostile = [
  '*/ pwned_1(); /*',
  '/** @pwned_1 */',
  '`${pwned_1()}` `',
  'it\'s "pwned_1',
  'first\r\n*/pwned_1()\u2028// @ts-nocheck',
  '${',
  '\\',
];

test.each(hostile)('text of a contract does not act in stubs: %j', async (text) => {
  const contract = await readAsyncapi({
    asyncapi: '3.0.0',
    info: { title: 'Names', version: '1.0.0', 'x-countersign': 1 },
    defaultContentType: 'application/json',
    channels: { all: { messages: { ping: { $ref: '#/components/messages/ping' } } } },
    operations: {
      notify: {
        action: 'send',
        channel: { $ref: '#/channels/all' },
        messages: [{ $ref: '#/channels/all/messages/ping' }],
      },
    },
    components: {
      messages: {
        ping: {
          summary: text,
          description: `${text}\n\n${text}`,
          'x-note': [text],
          payload: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
          'x-dedupe-by': ['$request.body#/id'],
        },
      },
    },
  });
  const targets = [
    webhooksTarget,
    createFrameworkTarget('express'),
    createFrameworkTarget('nestjs'),
  ];
  for (const target of targets) {
    for (const [path, file] of await emitFiles(target, contract)) {
      if (!path.includes('/stubs/')) continue;
      const formatted = await formatFile(path, file);
      expect(injectionsIn(path, formatted, (name) => name.includes('pwned_1'))).toEqual([]);
      if (path.endsWith('/handlers.ts'))
        expect(formatted).toContain('Deliveries with the same `$request.body#/id` are one');
    }
  }
});

test('no template of code contains a handler', async () => {
  const folder = join(repository, 'templates');
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /^(?:frameworks|init|scaffold|webhooks)[/\\].*\.ts\.hbs$/u.test(name),
  );
  expect(names.length).toBeGreaterThan(30);
  // Of the README of each package, which shows a receiver, this is true.
  const handler = /\b(?:otherwise|onInvalid|rest)\s*\(|\(\s*event\s*[:,)]/u;
  expect(await readFile(join(folder, 'frameworks/options.hbs'), 'utf8')).toMatch(handler);
  // The receiver that `init` mounts in an application has no handler of a kind: the same text for every contract.
  const stubs = names.filter((name) => !name.endsWith('receiver.ts.hbs'));
  expect(stubs).toHaveLength(names.length - 1);
  for (const name of stubs)
    expect(await readFile(join(folder, name), 'utf8'), name).not.toMatch(handler);
});

describe('without ts-morph', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-stubs-'));
    const channel = { address: '/ping', messages: { ping: { payload: { type: 'object' } } } };
    const asyncapi = {
      asyncapi: '3.0.0',
      info: { title: 'Pings', version: '1.0.0' },
      defaultContentType: 'application/json',
      channels: { all: channel },
      operations: { notify: { action: 'send', channel: { $ref: '#/channels/all' } } },
    };
    await writeFile(join(folder, 'asyncapi.json'), JSON.stringify(asyncapi));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const generate = async (targets: readonly string[]) => {
    const config = { contract: { asyncapi: 'asyncapi.json' }, scope, output: 'out', targets };
    await writeFile(join(folder, 'config.json'), JSON.stringify(config));
    const hook = pathToFileURL(join(repository, 'test/cli/hide-packages.fixture.ts')).href;
    const words = ['generate', '--config', join(folder, 'config.json')];
    return await new Promise<{ readonly code: unknown; readonly text: string }>((resolve) => {
      execFile(
        process.execPath,
        ['--import', hook, join(repository, 'generator/cli.ts'), ...words],
        { cwd: folder, timeout: 60_000, env: { ...process.env, HIDDEN_PACKAGES: 'ts-morph' } },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, text: stdout + stderr }),
      );
    });
  };

  test('targets with stubs fail with an error that names it', async () => {
    const { code, text } = await generate(['contract', 'webhooks', 'webhooks-express']);
    expect(code).toBe(1);
    expect(text).toContain('ts-morph, which writes the stubs of handlers, is not installed');
    expect(text).toContain('npm install --save-dev ts-morph');
    expect(text).toContain('Install what the message names, or leave the target out.');
  });

  test('other targets work', async () => {
    const { code, text } = await generate(['contract', 'reference']);
    expect(text).toContain('files written');
    expect(code).toBe(0);
  });
});
