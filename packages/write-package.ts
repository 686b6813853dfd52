/**
 * Runs as a program after the toolkit was built. It writes the package `countersign`, the only one that is installed,
 * into `dist/countersign`: the files of `generator/` at the root, and those of every other workspace of the toolkit in
 * its folder, with its package.json as `manifest.json`. Imports of those workspaces become relative, and their
 * dependencies become those of the package. Of the runtime, which is there as source, what the toolkit itself runs is
 * built, and no adapter of a framework.
 *
 * An argument replaces the folder.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import typescript from 'typescript';

interface Conditions {
  readonly types?: string;
  readonly default: string;
  readonly 'countersign-source'?: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines?: { readonly node?: string };
  readonly exports?: Readonly<Record<string, string | Conditions>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A workspace of the toolkit. */
interface Workspace {
  /** Relative to the repository, with slashes; also where its files are in the package, but for the core's. */
  readonly folder: string;
  readonly manifest: Manifest;
}

const repository = dirname(import.meta.dirname);
const core = 'generator';
const runtime = 'packages/runtime';
const output = resolve(process.argv[2] ?? join(repository, 'dist/countersign'));

/** Returns the paths of the files that npm would pack of each workspace, by the name of its package. */
function packedFiles(workspaces: readonly Workspace[]): ReadonlyMap<string, readonly string[]> {
  const words = workspaces.flatMap(({ folder }) => ['--workspace', folder]);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const text = execFileSync(npm, ['pack', '--dry-run', '--json', '--ignore-scripts', ...words], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const reports = Object.values(
    JSON.parse(text) as Record<
      string,
      { readonly name: string; readonly files: readonly { readonly path: string }[] }
    >,
  );
  return new Map(reports.map(({ name, files }) => [name, files.map(({ path }) => path)]));
}

function readWorkspace(folder: string): Workspace {
  const text = readFileSync(join(repository, folder, 'package.json'), 'utf8');
  return { folder, manifest: JSON.parse(text) as Manifest };
}

/** Returns the workspaces of the toolkit, the core first. */
function readWorkspaces(): readonly Workspace[] {
  const packages = globSync('packages/*/package.json', { cwd: repository }).toSorted();
  return [core, 'templates', ...packages.map((file) => dirname(file).replaceAll(sep, '/'))].map(
    readWorkspace,
  );
}

const workspaces = readWorkspaces();
const byName = new Map(workspaces.map((workspace) => [workspace.manifest.name, workspace]));

/** Returns where a file of a workspace is in the package. Only that of the package itself is a package.json. */
function placeOf({ folder }: Workspace, file: string): string {
  if (folder === core) return join(output, file);
  return join(output, folder, file === 'package.json' ? 'manifest.json' : file);
}

/**
 * Returns where what an import names is in the package; `undefined` for what is not of the toolkit.
 * @throws TypeError for a path that the workspace does not export
 */
function targetOf(specifier: string): string | undefined {
  const [, name = '', path = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/u.exec(specifier) ?? [];
  const workspace = byName.get(name);
  if (workspace === undefined) return undefined;
  const { exports: exported = {} } = workspace.manifest;
  for (const [pattern, target] of Object.entries(exported)) {
    const [start = '', end] = pattern.slice('./'.length).split('*');
    const matches =
      end === undefined ? path === start : path.startsWith(start) && path.endsWith(end);
    if (!matches) continue;
    const star = end === undefined ? '' : path.slice(start.length, path.length - end.length);
    const file = typeof target === 'string' ? target : target.default;
    return placeOf(workspace, file.slice('./'.length).replace('*', star));
  }
  throw new TypeError(`${specifier} is not exported by ${workspace.folder}.`);
}

/** A module or its types in the package. */
interface LinkedModule {
  readonly text: string;
  /** The places of the modules of the toolkit that it loads. */
  readonly loads: readonly string[];
}

/** Replaces the names of workspaces by relative paths. */
function linkModule(original: string, place: string): LinkedModule {
  const loads: string[] = [];
  let text = original.replaceAll(
    /import\.meta\.resolve\(\s*'(?<specifier>[^']+)',?\s*\)/gu,
    (call: string, specifier: string) => {
      const target = targetOf(specifier);
      return target === undefined
        ? call
        : `new URL('${relativePath(place, target)}', import.meta.url).href`;
    },
  );
  // The names of threads end with the ending of the module that starts them.
  for (const [, name = ''] of text.matchAll(/new URL\(`\.\/([\w-]+)\.\$\{/gu))
    loads.push(join(dirname(place), `${name}.js`));
  const imports = typescript.preProcessFile(text, true, true).importedFiles;
  for (const { fileName, pos, end } of imports.toReversed()) {
    const target = targetOf(fileName);
    if (target === undefined) {
      if (fileName.startsWith('.')) loads.push(join(dirname(place), fileName));
      continue;
    }
    loads.push(target);
    const start = text.indexOf(fileName, pos);
    if (start === -1 || start > end) throw new TypeError(`${place}: no ${fileName} at ${pos}.`);
    const rest = text.slice(start + fileName.length);
    text = text.slice(0, start) + relativePath(place, target) + rest;
  }
  return { text, loads };
}

function relativePath(from: string, to: string): string {
  const path = relative(dirname(from), to).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/**
 * Returns the dependencies of all workspaces on packages that are not of the toolkit.
 * @throws TypeError if two workspaces require two versions
 */
function allDependencies(): Readonly<Record<string, string>> {
  const ranges = new Map<string, string>();
  for (const { folder, manifest } of workspaces)
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      if (byName.has(name)) continue;
      if ((ranges.get(name) ?? range) !== range)
        throw new TypeError(`${folder} requires another version of ${name}.`);
      ranges.set(name, range);
    }
  return Object.fromEntries([...ranges].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the members of the core's manifest that mean something to who installs the package. */
function toPublished(manifest: Manifest): object {
  const ownMembers = Object.entries(manifest).filter(
    ([member]) => member !== 'files' && member !== 'devDependencies',
  );
  // Companions are in the package, and import the modules for them by relative paths.
  const exported = Object.entries(manifest.exports ?? {})
    .filter(([path]) => !path.startsWith('./companion/'))
    .map(([path, target]) => [path, typeof target === 'string' ? target : withoutSource(target)]);
  return {
    ...Object.fromEntries(ownMembers),
    exports: Object.fromEntries(exported),
    dependencies: allDependencies(),
  };
}

/** Leaves out the condition by which this repository finds its own sources. */
function withoutSource(target: Conditions): object {
  return Object.fromEntries(
    Object.entries(target).filter(([condition]) => condition !== 'countersign-source'),
  );
}

function write(place: string, text: string): void {
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

rmSync(output, { recursive: true, force: true });
const files = packedFiles(workspaces);
/** The built modules of the runtime by their places, and the places of those that the toolkit loads. */
const runtimeModules = new Map<string, string>();
const loaded = new Set<string>();
for (const workspace of workspaces) {
  const { folder, manifest } = workspace;
  for (const file of files.get(manifest.name) ?? []) {
    const place = placeOf(workspace, file);
    const source = join(repository, folder, file);
    if (/^dist\/.*(?:\.d\.ts|\.js)$/u.test(file)) {
      const text = readFileSync(source, 'utf8');
      if (folder === runtime) {
        runtimeModules.set(place, text);
        continue;
      }
      const linked = linkModule(text, place);
      write(place, linked.text);
      for (const path of linked.loads) loaded.add(path);
    } else if (folder === core && file === 'package.json')
      write(place, `${JSON.stringify(toPublished(manifest), undefined, 2)}\n`);
    else {
      mkdirSync(dirname(place), { recursive: true });
      cpSync(source, place);
    }
  }
}
for (const place of loaded) {
  for (const path of [place, place.replace(/\.js$/u, '.d.ts')]) {
    const text = runtimeModules.get(path);
    if (text === undefined) continue;
    const linked = linkModule(text, path);
    write(path, linked.text);
    // A set is also iterated over what is added meanwhile.
    for (const further of linked.loads) loaded.add(further);
  }
}
