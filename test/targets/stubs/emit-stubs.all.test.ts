import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DynamicModule } from '@nestjs/common';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { frameworks } from '../../../generator/targets/printing/frameworks.ts';
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
import { listenFetch } from '../../packages/runtime/webhooks/listen.ts';
import { platforms, startNest } from '../../packages/runtime/webhooks/nestjs-application.ts';
import type { DeliveryRecord } from '../../../packages/runtime/webhooks/receiver.ts';
import type { TestingModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { planHandlers } from '../../../generator/targets/stubs/plan-handlers.ts';
import { countUnwritten, writeHandlers } from './write-handlers.ts';

/** The factories of packages that hosts call, and the file and the function of the stub that does it for them. */
const stubs: ReadonlyMap<string, readonly [factory: string, file: string, name: string]> = new Map(
  Object.entries(frameworks).flatMap(([framework, { maker, stub }]) =>
    stub === 'providers'
      ? []
      : [[`webhooks-${framework}`, [maker, stub.fileName, stub.name] as const] as const],
  ),
);

/** What is appended to the name of a stub's file: as it is copied, and with a line written in each handler. */
const forms = { unedited: '', written: '.written' };

type StubForm = keyof typeof forms;

/** The stubs that take a function that creates the settings. */
const deferring: ReadonlySet<string> = new Set(
  Object.entries(frameworks).flatMap(([framework, { stub }]) =>
    stub !== 'providers' && stub.options !== undefined ? [`webhooks-${framework}`] : [],
  ),
);

/** Compiles a file with decorators, which neither Node nor the test runner compiles, to a file beside it. */
async function compileDecorators(folder: string, name: string): Promise<void> {
  const { outputText } = ts.transpileModule(await readFile(join(folder, name), 'utf8'), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      verbatimModuleSyntax: true,
    },
  });
  await writeFile(join(folder, name.replace(/ts$/u, 'js')), outputText);
}

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
    for (const target of ['webhooks', ...frameworkTargetNames]) {
      const folder = join(generated.project, target, 'stubs');
      for (const name of await readdir(folder)) {
        const text = await readFile(join(folder, name), 'utf8');
        // Beside the stub, so that its imports resolve.
        const written = name.replace(/ts$/u, 'written.ts');
        expect(countUnwritten(text)).toBe(planHandlers(contract, 'functions').length + 2);
        await writeFile(join(folder, written), writeHandlers(text));
        if (target !== 'webhooks-nestjs') continue;
        for (const source of [name, written]) await compileDecorators(folder, source);
      }
    }
  });
  afterAll(() => generated[Symbol.asyncDispose]());
  afterEach(() => vi.restoreAllMocks());

  /** Serves the stubs of a package on its framework: as they are copied, or with a line written in each handler. */
  async function serveStubs({ target, serve }: Host, form: StubForm, settings: object) {
    if (target === 'webhooks-nestjs') {
      const module = `${target}/stubs/webhooks.module${forms[form]}.js`;
      const { ReceiverModule } = (await load(module)) as {
        readonly ReceiverModule: { forRoot(options: object): DynamicModule };
      };
      const [platform] = platforms;
      if (platform === undefined) throw new Error('There is no platform of Nest');
      const imports = [ReceiverModule.forRoot({ ...settings, path: 'hooks' })];
      return await startNest(platform[1](), { imports });
    }
    const [factory = '', file = '', name = ''] = stubs.get(target) ?? [];
    const stub = await load(`${target}/stubs/${file}${forms[form]}.ts`);
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
  async function serveFetch(form: StubForm, settings: object) {
    const stub = await load(`webhooks/stubs/receiver${forms[form]}.ts`);
    const create = stub['createReceiver'] as (options: object) => {
      fetch(request: Request): Promise<Response>;
    };
    return await listenFetch((request) => create(settings).fetch(request));
  }

  const served = frameworkTargetNames.map((target): readonly [string, Host | undefined] => [
    target,
    hosts.find((host) => host.target === target),
  ]);

  const all = [...served, ['webhooks', undefined] as const];

  /** Sends deliveries to served stubs. Answers with the status, and with the error that `onEvent` got. */
  async function startSending(form: StubForm, host: Host | undefined) {
    const main = await load('webhooks/src/index.ts');
    const { deliver } = (await load('webhooks/src/testing.ts')) as Exported & TestingModule;
    const sharedSecret = main['sharedSecret'] as (place: object, secret: string) => unknown;
    const records: DeliveryRecord[] = [];
    const settings = {
      authenticate: sharedSecret({ header: 'x-secret' }, 'secret'),
      onEvent: (record: DeliveryRecord) => void records.push(record),
    };
    const running = await (host === undefined
      ? serveFetch(form, settings)
      : serveStubs(host, form, settings));
    const url = `http://127.0.0.1:${running.port}/hooks`;
    const send = async (kind: string, overrides: object) => {
      const headers = { 'x-secret': 'secret' };
      const { status } = await fetch(await deliver(kind, { url, headers, ...overrides }));
      const [record, ...more] = records.splice(0);
      expect(more).toEqual([]);
      return { status, error: record?.error as { code: string; message: string } | undefined };
    };
    return { send, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
  }

  /** Every delivery that reaches a handler, `otherwise` or `onInvalid`: its kind, and what it has besides. */
  function deliveries(): readonly (readonly [kind: string, overrides: object, to: RegExp])[] {
    const { notifications } = contract;
    const [first] = notifications;
    if (first === undefined) throw new Error('The contract has no notifications');
    return [
      ...notifications.flatMap(({ name, examples }) =>
        examples.map(
          (example) => [name, { example: example.name }, /^(?:on|handle)[A-Z]/u] as const,
        ),
      ),
      ...notifications.flatMap(({ name, invalidExamples }) =>
        invalidExamples.map(
          ({ value }) =>
            [name, { rawBody: JSON.stringify(value) }, /^(?:on|handle)Invalid/u] as const,
        ),
      ),
      [first.name, { rawBody: '{"hello": 1}', labelled: false }, /^(?:otherwise|handleOtherwise)/u],
      [first.name, { rawBody: 'hello', labelled: false }, /^(?:on|handle)Invalid/u],
    ];
  }

  test.each(all)('of %s acknowledge nothing until they are written', async (target, host) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await using receiver = await startSending('unedited', host);
    const failed = new Set<string>();
    let count = 0;
    for (const [kind, overrides, to] of deliveries()) {
      const { status, error } = await receiver.send(kind, overrides);
      const about = `${target}, ${kind}, ${JSON.stringify(overrides)}`;
      expect(status, about).toBe(500);
      expect(error, about).toMatchObject({ name: 'WebhookError', code: 'not-written' });
      const [name = ''] = error?.message.split(' is not written yet: ') ?? [];
      expect(name, about).toMatch(to);
      failed.add(name);
      count += 1;
    }
    // Unions that no example reaches have stubs as well.
    expect(failed.size).toBeGreaterThanOrEqual(contract.notifications.length + 3);
    expect(count).toBeGreaterThan(50);
    const kind = contract.notifications[0]?.name ?? '';
    expect(await receiver.send(kind, { headers: {} })).toEqual({ status: 401, error: undefined });
  });

  test.each(all)('of %s acknowledge what a written line handles', async (target, host) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await using receiver = await startSending('written', host);
    // What Nest logs when it starts.
    log.mockClear();
    for (const [kind, overrides, to] of deliveries()) {
      const about = `${target}, ${kind}, ${JSON.stringify(overrides)}`;
      const { status, error } = await receiver.send(kind, overrides);
      expect(error, about).toBeUndefined();
      const isInvalid = to.source.includes('Invalid');
      // `onInvalid` takes no responsibility here: what it has kept is refused, as before.
      expect(status, about).toBe(isInvalid ? ('labelled' in overrides ? 400 : 422) : 200);
      const calls = log.mock.calls.splice(0).map(([word]) => String(word));
      expect(new Set(calls), about).toEqual(
        new Set([
          isInvalid
            ? 'violates the contract'
            : 'labelled' in overrides
              ? 'matches no kind of the contract'
              : 'handled',
        ]),
      );
    }
  });

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
        if (name.endsWith('.ts') && !name.endsWith('.written.ts'))
          expect(stub).toMatch(/^\/\/ @generated .* copy it /u);
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
      expect(formatted).toContain('Deliveries with the same `$request.body#/id` are one');
    }
  }
});

test('no template of code contains a handler', async () => {
  const folders = [
    ...['frameworks', 'webhooks'].map((name) => join(repository, 'templates', name)),
    ...['init', 'scaffold'].map((name) => join(repository, 'packages/create/templates', name)),
  ];
  const names = (
    await Promise.all(
      folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
    )
  )
    .flat()
    .filter((name) => name.endsWith('.ts.hbs'));
  expect(names.length).toBeGreaterThan(30);
  // Of the README of each package, which shows a receiver, this is true.
  const handler = /\b(?:otherwise|onInvalid|rest)\s*\(|\(\s*event\s*[:,)]/u;
  expect(await readFile(join(repository, 'templates/frameworks/options.hbs'), 'utf8')).toMatch(
    handler,
  );
  // The receiver that `init` mounts in an application has no handler of a kind: the same text for every contract.
  const mounted = join(repository, 'packages/create/templates/init/receiver.ts.hbs');
  const stubs = names.filter((name) => name !== mounted);
  expect(stubs).toHaveLength(names.length - 1);
  for (const name of stubs) expect(await readFile(name, 'utf8'), name).not.toMatch(handler);
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
