import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundleWorker } from './bundle.ts';
import { installation, type Host } from './hosts.ts';
import { readRecipes } from './recipes.ts';
import type { Finding } from './run-suite.ts';

const run = promisify(execFile);
const hosted = join(import.meta.dirname, 'hosted');

/** What came of an application. */
export interface Trial {
  /** What the compiler says of the recipes in it. */
  readonly compilation: string;
  readonly findings: ReadonlyMap<string, Finding>;
}

/** Builds a host's application in a workspace, and runs its suites on it. */
export async function tryOn(folder: string, host: Host): Promise<Trial> {
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

/** The host's application with the recipes in it, and a receiver from `hosted/` where they look for one. */
export async function writeApplication(
  folder: string,
  host: Host,
  webhooks: string,
): Promise<string> {
  const application = await mkdtemp(join(folder, `${host.folder}-`));
  await writeFile(join(application, 'package.json'), '{ "private": true, "type": "module" }\n');
  await cp(join(hosted, host.folder), application, { recursive: true });
  if (host.beside !== undefined)
    await cp(join(hosted, 'beside.ts'), join(application, host.beside));
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

/** Builds an application as its host's users do; rejects with what was printed where that fails. */
export async function buildApplication(application: string, host: Host): Promise<void> {
  for (const [script, ...args] of [host.build ?? [], host.typegen ?? []])
    if (script !== undefined)
      await execute([process.execPath, join(installation, script), ...args], application, host);
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

async function execute(
  [file = '', ...args]: readonly string[],
  cwd: string,
  { name, env = {} }: Host,
): Promise<void> {
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };
  const inheritedVariables = Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'SystemRoot'].flatMap((key) => {
      const value = process.env[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
  try {
    await run(file, args, {
      cwd,
      env: { ...inheritedVariables, ...quiet, NODE_ENV: 'production', ...env },
      maxBuffer: 1 << 26,
      timeout: 300_000,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${name} failed\n${stdout}\n${stderr}`, { cause: error });
  }
}
