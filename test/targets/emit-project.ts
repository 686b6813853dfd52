import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../generator/contract/contract.ts';
import { rendererOf } from '../../generator/emit/renderer.ts';
import { formatFile } from '../../generator/targets/format.ts';
import type { Target, TargetContext } from '../../generator/targets/target.ts';
import { compile } from './compile.ts';

/** The folder of this repository. */
export const repository: string = fileURLToPath(new URL('../../', import.meta.url));

/** The name of the scope in tests. */
export const scope = '@trade';

/** The settings of a configuration that targets read. */
export type Settings = Pick<TargetContext, 'layout' | 'validators' | 'placeOf'> & {
  readonly options?: object;
};

/** The options with which targets emit what they emit only on request. */
const everyPart: Readonly<Record<string, object>> = {
  contract: {
    data: ['openapi', 'asyncapi', 'workflows', 'schemas', 'unstated'],
    validateUnused: true,
  },
  webhooks: { inbox: ['sqlite'], deviations: true },
};

/** Every file that a target emits, not yet formatted, by path; throws where one comes twice. */
export async function emitFiles(
  target: Target,
  contract: Contract,
  settings: Settings = {},
): Promise<ReadonlyMap<string, string>> {
  const names = [target.name, ...target.requires, 'runtime'].map((name) => [
    name,
    `${scope}/${name}`,
  ]);
  const packageNames = Object.fromEntries(names) as Record<string, string>;
  const context = {
    scope,
    options: everyPart[target.name] ?? {},
    ...settings,
    packageNames,
    packageVersions: Object.fromEntries(names.map(([name]) => [name, '4.5.6'])) as Record<
      string,
      string
    >,
    render: await rendererOf(target, { scope, packageNames }),
  };
  const files = new Map<string, string>();
  for await (const { path, text } of target.emit(contract, context)) {
    if (files.has(path)) throw new Error(`${path} was emitted twice`);
    files.set(path, text);
  }
  return files;
}

/** Generated packages and the runtimes they import, in a project of their own: a folder a target. */
export interface GeneratedProject extends AsyncDisposable {
  readonly project: string;
}

/**
 * Emits packages into a temporary project, as they would come to lie on the disk.
 * `built`: the runtimes beside them are what is published, compiled; they are source otherwise.
 * `unformatted`: the files are written as targets emit them, which is faster.
 */
export async function generateProject(
  contract: Contract,
  targets: readonly Target[],
  options: Settings & { readonly built?: boolean; readonly unformatted?: boolean } = {},
): Promise<GeneratedProject> {
  const project = await mkdtemp(join(tmpdir(), 'countersign-project-'));
  const links = new Map<string, string>(
    ['@types/node', 'undici-types'].map((name) => [name, join(repository, 'node_modules', name)]),
  );
  for (const target of targets) {
    for (const [path, text] of await emitFiles(target, contract, options)) {
      await mkdir(dirname(join(project, path)), { recursive: true });
      const fileText = options.unformatted === true ? text : await formatFile(path, text);
      await writeFile(join(project, path), fileText);
    }
    links.set(`${scope}/${target.name}`, join(project, target.name));
    const { dependencies = {}, peerDependencies = {} } = await readManifest(
      join(project, target.name),
    );
    // An application with a framework has the types of the framework.
    const types = Object.keys(peerDependencies).map((name) => `@types/${name}`);
    for (const name of [...Object.keys({ ...dependencies, ...peerDependencies }), ...types]) {
      if (name.startsWith('@countersign/') || name.startsWith(`${scope}/`)) continue;
      const folder = join(repository, 'node_modules', name);
      if (existsSync(folder)) links.set(name, folder);
    }
    for (const runtime of await withTheirRuntimes(
      runtimesAmong({ ...dependencies, ...peerDependencies }),
    )) {
      const folder = join(repository, 'packages', runtime);
      const built = join(project, 'runtimes', runtime);
      if (options.built === true && !links.has(`@countersign/${runtime}`))
        await copyRuntime(folder, built);
      links.set(`@countersign/${runtime}`, options.built === true ? built : folder);
    }
    // The runtime of the output is a copy of parts of this one.
    if (Object.hasOwn(dependencies, `${scope}/runtime`)) {
      const folder = join(repository, 'packages/runtime');
      const built = join(project, 'runtimes/runtime');
      if (options.built === true && !existsSync(built)) await copyRuntime(folder, built);
      links.set(`${scope}/runtime`, options.built === true ? built : folder);
      await writeReferenced(join(project, 'runtime'));
    }
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }\n');
  for (const [name, folder] of links) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(folder, link, 'junction');
  }
  return { project, [Symbol.asyncDispose]: () => rm(project, { recursive: true }) };
}

/** Writes a project that others can refer to, without code: what they import is linked from elsewhere. */
async function writeReferenced(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'nothing.ts'), 'export {};\n');
  const compilerOptions = { composite: true, isolatedDeclarations: true, types: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
}

interface Manifest {
  readonly dependencies?: object;
  readonly peerDependencies?: object;
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Names below `packages/` of the runtimes among a package's dependencies. */
function runtimesAmong(dependencies: object): readonly string[] {
  return Object.keys(dependencies)
    .filter((name) => name.startsWith('@countersign/'))
    .map((name) => name.slice('@countersign/'.length));
}

/** Adds the runtimes that runtimes depend on, as an installation does. */
async function withTheirRuntimes(runtimes: readonly string[]): Promise<ReadonlySet<string>> {
  const all = new Set(runtimes);
  for (const runtime of all) {
    const { dependencies = {} } = await readManifest(join(repository, 'packages', runtime));
    for (const name of runtimesAmong(dependencies)) all.add(name);
  }
  return all;
}

/** Writes a runtime as it is published. In a run of tests, which has a temporary folder of its own, it is compiled once. */
async function copyRuntime(from: string, to: string): Promise<void> {
  const built = join(tmpdir(), 'built-runtimes', basename(from));
  if (!existsSync(built)) {
    const temporary = await mkdtemp(join(tmpdir(), 'countersign-runtime-'));
    await buildRuntime(from, temporary);
    await mkdir(dirname(built), { recursive: true });
    // Another worker can have been faster.
    await rename(temporary, built).catch(() => rm(temporary, { recursive: true }));
  }
  await cp(built, to, { recursive: true });
}

/** Compiles a runtime as it is published, without touching the repository. */
export async function buildRuntime(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  // Some resolvers of the tests have the condition of the source files, which are not there.
  const manifest = await readFile(join(from, 'package.json'), 'utf8');
  const published: unknown = JSON.parse(manifest, (_, value: unknown) => withoutSource(value));
  await writeFile(join(to, 'package.json'), JSON.stringify(published));
  const flags = ['--composite', 'false', '--incremental', 'false', '--tsBuildInfoFile', 'null'];
  await compile('ts7', from, ['-p', '.', ...flags, '--outDir', join(to, 'dist')]);
}

function withoutSource(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'countersign-source'));
}
