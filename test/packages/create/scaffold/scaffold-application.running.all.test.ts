import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameworks } from '../../../../packages/create/src/scaffold/frameworks.ts';
import { inboxStores } from '../../../../generator/targets/printing/inbox-stores.ts';
import { readTree } from '../../../output/tree.ts';
import { isEveryTestRun, someOf } from '../../../some.ts';
import { compile } from '../../../targets/compile.ts';
import { repository } from '../../../targets/emit-project.ts';
import {
  createApplicationFolder,
  expectedDeliveries,
  expectDependencies,
  expectedKinds,
  fromSource,
  scaffoldOwn,
  writeAllHandlers,
} from './own-contract.ts';
import { freePort, type RunningApplication, startApplication } from './start-application.ts';

const execute = promisify(execFile);
const names = frameworks.map(({ name }) => name);
/** The applications whose own tests are run: those that differ most, where not every test is run. */
const tested = isEveryTestRun ? names : ['node', 'nestjs'];
const all = [...names, ...inboxStores.map((store) => `stored-${store}`)];

let folder = '';

const scaffold = (framework: string, directory: string, ...options: readonly string[]) =>
  scaffoldOwn(folder, [framework, directory, ...options]);

beforeAll(async () => {
  folder = await createApplicationFolder();
  for (const name of names) await scaffold(name, name);
  for (const store of inboxStores) await scaffold('node', `stored-${store}`, '--inbox', store);
});

afterAll(() => rm(folder, { recursive: true }));

const isCompiled = (application: string): boolean => application.endsWith('nestjs');

/** Type-checks the application of each framework: those with equal options in one program, which reads each package once. */
async function typeCheckAll(): Promise<void> {
  const named = new Map<string, string[]>();
  for (const name of names) {
    const text = await readFile(join(folder, name, 'tsconfig.json'), 'utf8');
    named.set(text, [...(named.get(text) ?? []), name]);
  }
  for (const [text, [first = '', ...others]] of named) {
    const { compilerOptions, include } = JSON.parse(text) as TypeScriptConfig;
    const file = `tsconfig.${first}.json`;
    const config = {
      compilerOptions,
      include: [first, ...others].flatMap((name) => include.map((path) => `${name}/${path}`)),
    };
    await writeFile(join(folder, file), JSON.stringify(config));
    await compile('ts7', folder, ['-p', file, '--noEmit', ...fromSource]);
  }
}

interface TypeScriptConfig {
  readonly compilerOptions: object;
  readonly include: readonly string[];
}

/** Writes the handlers of all applications; answers with how many each of them had. */
async function writeHandlersOfAll(): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, await writeAllHandlers(join(folder, name)));
  await typeCheckAll();
  compiled.clear();
  return counts;
}

let stubsAreChecked: Promise<void> | undefined;
let written: Promise<ReadonlyMap<string, number>> | undefined;

/** The applications whose JavaScript is that of their files. */
const compiled = new Set<string>();

/** Compiles an application that does not run from source, unless it is compiled. */
async function compileOnce(application: string): Promise<void> {
  if (!isCompiled(application) || compiled.has(application)) return;
  await compile('ts7', application, ['-p', '.', ...fromSource]);
  compiled.add(application);
}

/** Runs the application's own tests, which pass. */
async function runTests(application: string): Promise<string> {
  const tests = isCompiled(application) ? 'dist/test/**/*.test.js' : 'test/**/*.test.ts';
  await compileOnce(application);
  const { stdout } = await execute(
    process.execPath,
    ['--conditions=countersign-source', '--test', '--test-reporter=tap', tests],
    { cwd: application },
  );
  expect(stdout).toContain('# fail 0\n');
  return stdout;
}

/** Runs the tests of an application as it is scaffolded; answers with how many deliveries nobody acknowledged. */
async function deliverToStubs(application: string): Promise<number> {
  const stdout = await runTests(application);
  expect(stdout).not.toMatch(/^(?:# )?2\d\d /mu);
  const [delivered = '', simulated = ''] = stdout.split(/^ok 1 - the application$/mu);
  if (stdout.includes('in spite of its faults'))
    expect(simulated).toMatch(/in spite of its faults # TODO not written yet: .*\w+, /u);
  const todo = /# TODO not written yet: (?:on[A-Z]\w+|[A-Z]\w+Handler\.handle)(?:, |$)/gmu;
  const count = delivered.match(todo)?.length ?? 0;
  expect(delivered.match(/^(?:# )?500 handler-failed /gmu)).toHaveLength(count);
  return count;
}

/** Runs the application's own tests; answers with the kinds of its deliveries that were handled, in order. */
async function deliverAll(application: string): Promise<readonly string[]> {
  const stdout = await runTests(application);
  expect(stdout).toContain('# todo 0\n');
  // An example that violates its own schema would be skipped.
  expect(stdout).toContain('# skipped 0\n');
  // Node reports one file after the other. The simulator's deliveries, in the second one, come in random order.
  const [delivered = '', simulated = ''] = stdout.split(/^ok 1 - the application$/mu);
  expect(simulated.includes('handled ')).toBe(stdout.includes('in spite of its faults'));
  return Array.from(delivered.matchAll(/handled (\w+) /gu), ([, kind = '']) => kind);
}

describe.each(all)('the application for %s', (name) => {
  it('needs what it imports, in the version that is generated here', async () => {
    await expectDependencies(join(folder, name));
  });
});

describe.each(tested)('the application for %s', (name) => {
  it('type-checks, and acknowledges no example until its handlers are written', async () => {
    await (stubsAreChecked ??= typeCheckAll());
    expect(await deliverToStubs(join(folder, name))).toBe(await expectedDeliveries());
  });
});

describe.each(tested)('the application for %s', (name) => {
  it('type-checks and hands every example to the handler of its kind, event after event', async () => {
    const counts = await (written ??= writeHandlersOfAll());
    expect(counts.get(name)).toBeGreaterThan(10);
    expect(await deliverAll(join(folder, name))).toEqual(await expectedKinds());
  });
});

/** Starts an application with a secret; answers with the URL that it prints, and what stops it. */
async function start(
  application: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningApplication> {
  await compileOnce(application);
  const main = isCompiled(application) ? 'dist/src/main.js' : 'src/main.ts';
  return await startApplication(
    application,
    { WEBHOOK_SECRET: 'only for tests', ...environment },
    main,
  );
}

const servers = frameworks.filter(({ files }) => Object.hasOwn(files, 'src/main.ts'));

describe.each(
  someOf(
    3,
    servers.map(({ name }) => name),
  ),
)('the server for %s', (name) => {
  // Every address that begins with 127 is of this machine alone.
  it.each([
    ['127.0.0.1 alone, without HOST', {}, '127.0.0.1', '127.0.0.2'],
    ['127.0.0.1 alone, with an empty HOST', { HOST: '' }, '127.0.0.1', '127.0.0.2'],
    ['what HOST is set to', { HOST: '127.0.0.2' }, '127.0.0.2', '127.0.0.1'],
  ])('listens on %s, and prints it', async (_, environment, host, other) => {
    const port = await freePort();
    const { url, stop } = await start(join(folder, name), { ...environment, PORT: `${port}` });
    let log = '';
    try {
      expect(url).toBe(`http://${host}:${port}/webhooks`);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
      await expect(fetch(url.replace(host, other))).rejects.toMatchObject({
        cause: { code: 'ECONNREFUSED' },
      });
    } finally {
      log = await stop();
    }
    expect(log).toMatch(/^401 unauthentic \(missing-secret\) [\w-]+$/mu);
  });

  it('ends with an error that names the port, if another process uses it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const failure = await start(join(folder, name), { PORT: `${port}` }).catch(
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({
        message: expect.stringContaining(
          `cannot listen on port ${port} of 127.0.0.1: another process uses this port. Set PORT to another port.\n`,
        ),
        cause: { exitCode: 1 },
      });
      expect(String(failure)).not.toContain('listening on');
    } finally {
      other.close();
    }
  });

  it('answers the delivery in progress at SIGTERM, then ends', async () => {
    const { url, stop, exitCode } = await start(join(folder, name), {
      PORT: `${await freePort()}`,
    });
    const delivery = request(url, {
      method: 'POST',
      agent: new Agent({ keepAlive: true }),
      headers: {
        'content-type': 'application/json',
        'content-length': 2,
        expect: '100-continue',
      },
    });
    const answered = once(delivery, 'response');
    // Sent by the server when it has read the headers.
    await once(delivery, 'continue');
    const stopped = stop();
    await expect.poll(() => fetch(url).catch(({ cause }) => cause.code)).toBe('ECONNREFUSED');
    delivery.end('{}');
    const [{ statusCode }] = await answered;
    expect(statusCode).toBe(401);
    expect(await exitCode).toBe(0);
    await stopped;
  });
});

describe('every application', () => {
  it('is formatted and lints clean', async () => {
    const rules = JSON.parse(await readFile(join(repository, '.oxlintrc.json'), 'utf8')) as {
      readonly rules: object;
    };
    const config = {
      ...rules,
      rules: {
        ...rules.rules,
        // Where an application logs is for its owner to change.
        'no-console': 'off',
        // Nest's modules are classes with nothing in them.
        'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
      },
      overrides: [],
    };
    await writeFile(join(folder, 'rules.json'), JSON.stringify(config));
    for (const name of all.filter((folderName) => !names.includes(folderName))) {
      // Their types are those of packages that may not be built.
      const file = join(folder, name, 'tsconfig.json');
      const text = await readFile(file, 'utf8');
      const conditions = '"customConditions": ["countersign-source"],';
      await writeFile(file, text.replace('"strict"', `${conditions}\n    "strict"`));
    }
    const tool = async (name: string, ...options: readonly string[]): Promise<string> => {
      const file = join(repository, 'node_modules', name, 'bin', name);
      return await execute(process.execPath, [file, ...options], { cwd: folder }).then(
        () => '',
        ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
          stdout + stderr || `${name} failed without output`,
      );
    };
    const lints = await tool('oxlint', '--type-aware', '-c', 'rules.json', ...all);
    expect(lints).toBe('');
    expect(await tool('oxfmt', '--check', '-c', join(repository, '.oxfmtrc.json'), ...all)).toBe(
      '',
    );
  });

  it.each(
    someOf(3, [
      ['a worker', 'node', ['--inbox', 'sqlite']],
      ['node', 'node', []],
      ['nextjs', 'nextjs', []],
    ] as const),
  )(
    'fails its test with the stub of a handler that it lacks, also of a union: %s',
    async (_, framework, inbox) => {
      const application = await scaffold(
        framework,
        `growing-${framework}-${inbox.length}`,
        ...inbox,
      );
      const file = join(application, inbox.length === 0 ? 'src/webhooks.ts' : 'src/worker.ts');
      const text = await readFile(file, 'utf8');
      const lacking = text.replaceAll(/^.*\bon(?:Charge|ChargeOrChargeReversal)\b.*\n/gmu, '');
      await writeFile(file, lacking);
      const tests = ['--test', '--test-reporter=tap', 'test/handlers.test.ts'];
      const run = execute(process.execPath, tests, { cwd: application });
      const { stdout } = await run.then(
        () => ({ stdout: 'it passes' }),
        (error: { readonly stdout: string }) => error,
      );
      expect(stdout).toContain('not ok 1 - has a handler for each kind of the contract');
      expect(stdout.match(/export function \w+/gu)).toEqual([
        'export function onCharge',
        'export function onChargeOrChargeReversal',
      ]);
      await writeFile(file, text);
      expect((await execute(process.execPath, tests, { cwd: application })).stdout).toContain(
        '# pass 1\n',
      );
    },
  );

  it('asks for its secrets and names none', async () => {
    for (const name of names) {
      const tree = await readTree(join(folder, name));
      const receiving = Object.entries(tree).filter(([path]) => path.startsWith('src/webhooks.'));
      const [text = '', ...furtherSources] = receiving.map(([, source]) => source);
      expect(furtherSources).toEqual([]);
      expect(text).toMatch(
        /authenticate: sharedSecret\(\s*\{ header: 'x-webhook-secret' \},\s*(?:required\('WEBHOOK_SECRET'\)|env\.WEBHOOK_SECRET),?\s*\)/u,
      );
      expect(tree['.env.example']).toMatch(/^WEBHOOK_SECRET=$/mu);
      for (const source of Object.values(tree)) expect(source).not.toContain('unauthenticated');
    }
  });

  it('has a name that npm can resolve beside its dependencies', async () => {
    for (const name of names) {
      const manifest = JSON.parse(
        await readFile(join(folder, name, 'package.json'), 'utf8'),
      ) as Record<'dependencies' | 'devDependencies', object> & { readonly name: string };
      const { dependencies, devDependencies } = manifest;
      expect(Object.keys({ ...dependencies, ...devDependencies })).not.toContain(manifest.name);
    }
  });

  it('can be imported without secrets where a build imports it: Next.js', async () => {
    const url = 'http://127.0.0.1/webhooks';
    const text = `const route = await import('./src/app/webhooks/[[...label]]/route.ts');
console.log(Object.keys(route).join());
for (const [method, receive] of Object.entries(route)) {
  const failure = await receive(new Request(${JSON.stringify(url)}, { method })).catch(({ message }) => message);
  console.log(failure);
}`;
    const { stdout } = await execute(
      process.execPath,
      ['--conditions=countersign-source', '--input-type=module', '--eval', text],
      { cwd: join(folder, 'nextjs'), env: {} },
    );
    const missing = 'WEBHOOK_SECRET is not set. .env.example describes it.\n';
    expect(stdout).toBe(`DELETE,GET,PATCH,POST,PUT\n${missing.repeat(5)}`);
  });

  it('does not start without its secret', async () => {
    const application = join(folder, 'node');
    const started = execute(process.execPath, ['--conditions=countersign-source', 'src/main.ts'], {
      cwd: application,
      env: {},
    });
    await expect(started).rejects.toThrow('WEBHOOK_SECRET is not set. .env.example describes it.');
  });

  it.each(someOf(2, ['express', 'cloudflare']))(
    'can ask for the signature of the contract instead: %s',
    async (name) => {
      const options = ['--authenticate', 'signature', '--answer', 'signed-path=path-and-query'];
      const application = await scaffold(name, `signed-${name}`, ...options);
      await writeAllHandlers(application);
      await compile('typescript', application, ['-p', '.', '--noEmit', ...fromSource]);
      expect(await deliverAll(application)).toEqual(await expectedKinds());
      const tree = await readTree(application);
      expect(tree['src/webhooks.ts']).toContain("signedPath: 'path-and-query'");
      expect(tree['.env.example']).toMatch(/^WEBHOOK_SECRET=\n[^]*^WEBHOOK_HEADER_APIKEY=$/mu);
    },
  );
});
