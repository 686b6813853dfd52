import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { BuildOptions, Plugin } from 'esbuild';
import { pack, repository } from '../packaging/project.ts';
import { readContract } from '../targets/client/emit-client.ts';
import { installation, type Host } from './hosts.ts';
import { readRecipes } from './recipes.ts';
import type { Finding } from './run-suite.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const hosted = join(here, 'hosted');

/** A folder beside the installed hosts that has the packages as they are published, and the suite in one file. */
export interface Workspace extends AsyncDisposable {
  /** Builds an application and runs its suites on it; rejects with what was printed where that fails. */
  tryOn(host: Host): Promise<Trial>;
  /** Builds the application with a receiver that needs `WEBHOOK_SECRET`; rejects with what was printed. */
  buildWithSecret(host: Host, secret: string): Promise<void>;
}

/** What came of an application. */
export interface Trial {
  /** What the compiler says of the recipes in it. */
  readonly compilation: string;
  readonly findings: ReadonlyMap<string, Finding>;
}

/** Installs the hosts, and packs what is tried on them. */
export async function createWorkspace(): Promise<Workspace> {
  await run('npm', ['ci'], { cwd: here, maxBuffer: 1 << 26 });
  const folder = await mkdtemp(join(here, '.work-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true });
  try {
    await installPackages(folder);
    await writeSuite(folder);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    tryOn: (host) => tryOn(folder, host),
    buildWithSecret: async (host, secret) => {
      const application = await writeApplication(folder, host, 'with-secret.ts');
      await buildApplication(application, { ...host, env: { WEBHOOK_SECRET: secret } });
    },
    [Symbol.asyncDispose]: remove,
  };
}

const packages: ReadonlyMap<string, string> = new Map([
  ['@countersign/signing', 'packages/signing'],
  ['@countersign/webhooks', 'packages/webhooks'],
  ['@instant-payment/contract', 'generated/contract'],
  ['@instant-payment/webhooks', 'generated/webhooks'],
  ['@instant-payment/webhooks-cloudflare', 'generated/webhooks-cloudflare'],
  ['@instant-payment/webhooks-nextjs', 'generated/webhooks-nextjs'],
]);

async function installPackages(folder: string): Promise<void> {
  const tsc = join(repository, 'node_modules/ts7/bin/tsc');
  await run(process.execPath, [tsc, '-b', ...packages.values()], { cwd: repository });
  const names = [...packages.keys()];
  const archives = await pack(names, folder);
  for (const [index, name] of names.entries()) {
    const target = join(folder, 'node_modules', name);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', archives[index] ?? '', '-C', target, '--strip-components=1']);
  }
}

/** The suite, with the contract that it knows, as a module that any runtime loads. */
async function writeSuite(folder: string): Promise<void> {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  await writeFile(join(folder, 'contract.json'), JSON.stringify(contract));
  await writeFile(
    join(folder, 'suite.ts'),
    `import contract from './contract.json';
import { runSuites } from '../run-suite.ts';
export const run = (ports, names) => runSuites(contract, ports, names);
`,
  );
  await bundle({
    entryPoints: [join(folder, 'suite.ts')],
    outfile: join(folder, 'suite.js'),
    platform: 'node',
    alias: { vitest: join(hosted, 'expect.ts') },
  });
}

async function bundle(options: BuildOptions): Promise<void> {
  // Not before the hosts are installed: they bring one of their own.
  const { build } = await import('esbuild');
  await build({ bundle: true, format: 'esm', logLevel: 'silent', ...options });
}

async function tryOn(folder: string, host: Host): Promise<Trial> {
  const application = await writeApplication(folder, host, 'webhooks.ts');
  await buildApplication(application, host);
  const compilation = await compileRecipes(application, host);
  if (host.worker !== undefined) await bundleWorker(folder, application, host.worker);
  const report = join(application, 'report.json');
  const [file = '', ...args] = host.command?.() ?? [process.execPath];
  const script = host.worker === undefined ? 'main.ts' : 'run.ts';
  await execute([file, ...args, script, report, host.suites.join(',')], application, host);
  const findings = JSON.parse(await readFile(report, 'utf8')) as readonly Finding[];
  return { compilation, findings: new Map(findings.map((finding) => [finding.name, finding])) };
}

/** Checks the types of the recipes with those that the host has generated; answers with what is wrong. */
async function compileRecipes(application: string, host: Host): Promise<string> {
  const recipes = [...(await readRecipes(host.section)).keys()].slice(0, host.recipes);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    jsx: 'preserve',
    types: ['node'],
    paths: { '@/*': ['./*'] },
    rootDirs: ['.', '.svelte-kit/types', '.react-router/types'],
  };
  const files = recipes.filter((path) => path.endsWith('.ts'));
  const project = join(application, 'tsconfig.recipes.json');
  await writeFile(project, JSON.stringify({ compilerOptions, include: ['env.d.ts', ...files] }));
  const tsc = join(installation, 'typescript/bin/tsc');
  try {
    await execute([process.execPath, tsc, '-p', project], application, host);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The host's application with the recipes in it, and a receiver from `hosted/` where they look for one. */
async function writeApplication(folder: string, host: Host, webhooks: string): Promise<string> {
  const application = await mkdtemp(join(folder, `${host.folder}-`));
  await cp(join(hosted, host.folder), application, { recursive: true });
  await cp(join(hosted, webhooks), join(application, host.webhooks));
  for (const name of ['listen.ts', 'options.ts', ...(host.worker === undefined ? ['main.ts'] : [])])
    await cp(join(hosted, name), join(application, name));
  for (const [path, code] of [...(await readRecipes(host.section))].slice(0, host.recipes)) {
    await mkdir(dirname(join(application, path)), { recursive: true });
    await writeFile(join(application, path), code);
    if (path === host.moved)
      await writeFile(join(application, 'everywhere.ts'), code.replaceAll('/hooks/', '/'));
  }
  return application;
}

async function buildApplication(application: string, host: Host): Promise<void> {
  for (const [script, ...args] of [host.build ?? [], host.typegen ?? []])
    if (script !== undefined)
      await execute([process.execPath, join(installation, script), ...args], application, host);
}

/** The Worker with the suite inside: nothing of Node, and what the rules need of it by other means. */
async function bundleWorker(folder: string, application: string, recipe: string): Promise<void> {
  const node = join(application, 'node.ts');
  const exchange: Plugin = {
    name: 'exchange',
    setup: ({ onResolve }) => {
      onResolve({ filter: /\/exchange\.ts$/ }, () => ({ path: join(application, 'exchange.ts') }));
    },
  };
  await bundle({
    entryPoints: [join(application, 'main.ts')],
    outfile: join(application, 'worker.js'),
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
    inject: [join(application, 'buffer.ts')],
    alias: {
      vitest: join(hosted, 'expect.ts'),
      'hosted-suite': join(folder, 'suite.ts'),
      'hosted-recipe': join(application, recipe),
      'node:crypto': node,
      'node:timers/promises': node,
      'node:util': node,
      'node:zlib': node,
    },
    plugins: [exchange],
  });
}

async function execute(
  [file = '', ...args]: readonly string[],
  cwd: string,
  { name, env = {} }: Host,
): Promise<void> {
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };
  const own = Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'SystemRoot'].flatMap((key) => {
      const value = process.env[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
  try {
    await run(file, args, {
      cwd,
      env: { ...own, ...quiet, NODE_ENV: 'production', ...env },
      maxBuffer: 1 << 26,
      timeout: 300_000,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${name} failed\n${stdout}\n${stderr}`, { cause: error });
  }
}
